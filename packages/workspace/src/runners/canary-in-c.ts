/** Whether a source in C or C++ is a program that a canary can stand for. */
export function isProgramInC(path: string, text: string): boolean {
  return /\.(?:c|cc|cpp|cxx)$/.test(path) && /\bmain\s*\(/.test(text)
}

/**
 * The program, and around it one that fails in every way: by what `main` returns, by an assertion where it has some,
 * and after it has run. What it includes comes with it, so its macros hold; what is linked with it runs before and
 * behind. A call of its own that ends the process counts as a failure too, so that only somebody else can end it well.
 */
export function canaryInC({ path, text, mark }: { path: string; text: string; mark: string }): string {
  const ends = ['exit', '_exit', '_Exit', 'quick_exit']
  const asserts = /\bassert\s*\(/.test(text) ? 'if (way == 1) { assert(argc < 0); return 0; }' : ''
  return `#define main ${mark}_main
${ends.map((it) => `#define ${it} ${mark}_end`).join('\n')}
#line 1 ${JSON.stringify(path)}
${text}
#undef main
${ends.map((it) => `#undef ${it}`).join('\n')}
#include <sys/wait.h>
#include <unistd.h>
#pragma GCC diagnostic ignored "-Wcast-function-type"
#ifdef __cplusplus
extern "C"
#endif
void ${mark}_end(int code) { (void)code; __builtin_trap(); }

int main(int argc, char **argv) {
  int way;
  for (way = 0; way < 3; way += 1) {
    int status = 1;
    int child = fork();
    if (child == 0) {
      if (way == 0) return 1;
      ${asserts}
      if (way == 2) ((int (*)(int, char **))${mark}_main)(argc, argv);
      __builtin_trap();
    }
    waitpid(child, &status, 0);
    if (status == 0) return 0;
  }
  return 1;
}
`
}
