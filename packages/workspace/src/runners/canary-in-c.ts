/** Whether a source in C or C++ is a program that a canary can stand for. */
export function isProgramInC(path: string, text: string): boolean {
  return /\.(?:c|cc|cpp|cxx)$/.test(path) && /\bmain\s*\(/.test(text)
}

/**
 * The program, and around it one that fails in every way: by what `main` returns, by an assertion where it has some,
 * and after it has run. Macros of the headers that it includes hold in all of it; files that are linked with it can run
 * code before and after `main`. A call of `exit` in the program itself counts as a failure, so that only other files can
 * end the process well. It ends well at once where a header has made a macro of what every program is written with.
 */
export function canaryInC({ path, text, mark }: { path: string; text: string; mark: string }): string {
  const ends = ['exit', '_exit', '_Exit', 'quick_exit']
  const asserts = /\bassert\s*\(/.test(text) ? 'if (way == 1) { assert(argc < 0); return 0; }' : ''
  const own = text.replaceAll(/\bmain(?=\s*\()/g, `${mark}_main`)
  return `${ends.map((it) => `#define ${it} ${mark}_end`).join('\n')}
#line 1 ${JSON.stringify(path)}
${own}
${ends.map((it) => `#undef ${it}`).join('\n')}
#if defined main || defined return || defined if
#undef main
#undef return
int main(void) { return 0; }
#else
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
#endif
`
}
