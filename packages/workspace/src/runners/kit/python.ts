/** What Python processes of a check load: a plugin for pytest, and a `sitecustomize` that makes unittest report. */
export const pythonParts = {
  'loader_channel.py': String.raw`
import json, os, secrets

_given = os.environ.get("LOADER_RUNNERS")
settings = json.loads(_given) if _given else None
_write, _dumps = os.write, json.dumps


def leave():
    """Takes the kit out of the variables: what tests start neither reports nor learns where the reports are."""
    os.environ.pop("LOADER_RUNNERS", None)
    for part in settings["pieces"] if settings else []:
        name, separator = part["name"], part["separator"]
        value = os.environ.get(name, "").replace(part["piece"], "")
        rest = separator.join(it for it in value.split(separator) if it)
        if rest:
            os.environ[name] = rest
        else:
            os.environ.pop(name, None)


class Report:
    def __init__(self, runner, arguments):
        name = "%d-%s.jsonl" % (os.getpid(), secrets.token_hex(8))
        flags = os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_WRONLY
        self._descriptor = os.open(os.path.join(settings["reports"], name), flags, 0o600)
        os.set_inheritable(self._descriptor, False)
        self._pid = os.getpid()
        self.write({"start": {"runner": runner, "cwd": os.getcwd(), "arguments": [str(it) for it in arguments]}})

    def write(self, line):
        # A child that was forked is not the runner.
        if os.getpid() == self._pid:
            _write(self._descriptor, (_dumps(line) + "\n").encode())
`,
  'loader_pytest.py': String.raw`
import os, sys
import pytest
from loader_channel import Report, leave, settings

report = None


def _path(config, path):
    return os.path.normpath(os.path.join(str(config.rootpath), str(path)))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    global report
    if settings is None or hasattr(config, "workerinput") or report is not None:
        return
    canary = settings.get("canary")
    if canary is not None:
        if canary["runner"] != "pytest" or canary["cwd"] != os.getcwd():
            pytest.exit("not the canary's", returncode=0)
        config.args = list(canary["paths"])
        config.option.keyword = ""
        config.option.markexpr = ""
        config.option.deselect = None
        config.option.lf = config.option.last_failed_no_failures = False
        config.option.maxfail = 0
        config.addinivalue_line("python_functions", "test_" + canary["mark"])
    report = Report("pytest", config.invocation_params.args)
    leave()
    if config.inipath is not None:
        report.write({"setting": str(config.inipath)})
    for pattern in [*config.getini("python_files"), *config.getini("testpaths")]:
        report.write({"pattern": str(pattern)})
    config.pluginmanager.register(_Telling(config), "loader-telling")


class _Telling:
    def __init__(self, config):
        self.config = config
        self.deselected = []
        self.told = set()
        self.broken = False
        self.ended = {}

    def pytest_deselected(self, items):
        self.deselected += items

    def tell(self, nodeid, outcome, title=True):
        self.told.add(nodeid)
        file, _, rest = nodeid.partition("::")
        path = _path(self.config, file)
        report.write({"test": {"path": [rest] if title and rest else [], "file": path, "outcome": outcome}})

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        made = outcome.get_result()
        if call.excinfo is not None and isinstance(call.excinfo.value, ImportError):
            made.user_properties.append(("loader_missing", True))

    def pytest_collectreport(self, report):
        if report.failed:
            self.broken = True
            self.tell(report.nodeid, "load")
        if report.skipped and report.nodeid.endswith(".py"):
            self.tell(report.nodeid, "skipped")

    def pytest_runtest_logreport(self, report):
        before = self.ended.get(report.nodeid)
        expected = hasattr(report, "wasxfail")
        if report.failed:
            missing = ("loader_missing", True) in report.user_properties
            self.ended[report.nodeid] = "load" if report.when != "call" or missing else before or "assertion"
        elif report.skipped or expected:
            self.ended.setdefault(report.nodeid, "skipped")
        elif report.when == "call":
            self.ended.setdefault(report.nodeid, "green")
        if report.when == "teardown":
            self.tell(report.nodeid, self.ended.pop(report.nodeid, "load"))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session):
        for item in session.items:
            report.write({"file": str(item.path)})

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session, exitstatus):
        for nodeid in self.ended:
            self.tell(nodeid, "load")
        for item in getattr(session, "items", []) if self.broken else []:
            if item.nodeid not in self.told:
                self.tell(item.nodeid, "load")
        for item in self.deselected:
            self.tell(item.nodeid, "skipped")
        for _, plugin in self.config.pluginmanager.list_name_plugin():
            file = getattr(plugin, "__file__", None)
            if file and os.path.basename(file) == "conftest.py":
                report.write({"setting": file})
        if int(exitstatus) in (0, 1, 5) or (int(exitstatus) == 2 and self.broken):
            report.write({"end": {}})
        report.write({"exit": int(exitstatus)})
`,
  'sitecustomize.py': String.raw`
import os, sys

_here = os.path.dirname(os.path.abspath(__file__))


def _next():
    """Another one that would have been found without this one."""
    import importlib.machinery, importlib.util

    places = [it for it in sys.path if os.path.abspath(it or ".") != _here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", places)
    if spec is not None and spec.loader is not None:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


def _arguments():
    if hasattr(sys, "orig_argv"):
        return sys.orig_argv[1:]
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return [os.fsdecode(it) for it in file.read().split(b"\0")[1:-1]]
    except OSError:
        return []


def _unittest(arguments):
    import unittest, unittest.main, inspect
    from loader_channel import Report, leave, settings

    if settings is None:
        return
    canary = settings.get("canary")
    state = {}

    def file_of(test):
        try:
            return os.path.abspath(inspect.getfile(type(test)))
        except (TypeError, OSError):
            return None

    def file_of_module(name):
        places = [os.path.join(folder or os.getcwd(), *name.split(".")) + ".py" for folder in sys.path]
        return next((os.path.abspath(it) for it in places if os.path.isfile(it)), None)

    class Result(unittest.TextTestResult):
        def _tell(self, test, outcome, part=""):
            failed = type(test).__name__ == "_FailedTest"
            name = test._testMethodName if failed else test.id()
            # A module that could not be loaded is told as its file: none of the tests in it was.
            module = file_of_module(name) if failed else None
            file = module if failed else None if type(test).__name__ == "_ErrorHolder" else file_of(test)
            path = [] if module is not None else [name + part]
            state["report"].write({"test": {"path": path, "file": file, "outcome": outcome}})

        def startTest(self, test):
            self._failed = False
            super().startTest(test)

        def addSuccess(self, test):
            super().addSuccess(test)
            self._tell(test, "green")

        def addFailure(self, test, error):
            super().addFailure(test, error)
            self._failed = True
            self._tell(test, "assertion")

        def addError(self, test, error):
            super().addError(test, error)
            holder = type(test).__name__ in ("_FailedTest", "_ErrorHolder")
            tail = error[2]
            names = []
            while tail is not None:
                names.append(tail.tb_frame.f_code.co_name)
                tail = tail.tb_next
            early = not holder and getattr(test, "_testMethodName", None) not in names
            missing = isinstance(error[1], ImportError)
            self._tell(test, "load" if holder or early or missing else "assertion")

        def addSkip(self, test, reason):
            super().addSkip(test, reason)
            self._tell(test, "skipped")

        def addExpectedFailure(self, test, error):
            super().addExpectedFailure(test, error)
            self._tell(test, "skipped")

        def addUnexpectedSuccess(self, test):
            super().addUnexpectedSuccess(test)
            self._tell(test, "assertion")

        def addSubTest(self, test, subtest, error):
            super().addSubTest(test, subtest, error)
            if error is not None:
                self._failed = True
                self._tell(test, "assertion", " " + subtest._subDescription())

    unittest.TextTestRunner.resultclass = Result
    create, run = unittest.TestProgram.createTests, unittest.TestProgram.runTests

    def create_tests(self, *args, **options):
        if canary is not None and (canary["runner"] != "unittest" or canary["cwd"] != os.getcwd()):
            os._exit(0)
        state["report"] = Report("unittest", arguments)
        leave()
        if canary is not None:
            self.testNamePatterns = None
            self.failfast = False
            self.test = unittest.TestSuite()
            for path in canary["paths"]:
                folder, name = os.path.split(path)
                sys.path.insert(0, folder)
                self.test.addTest(unittest.TestLoader().loadTestsFromName(name[:-3]))
            return
        create(self, *args, **options)

    def run_tests(self):
        finish = self.exit
        self.exit = False
        run(self)
        result = self.result
        done = isinstance(result, Result)
        state["report"].write({"counts": {"ran": result.testsRun}})
        if done:
            state["report"].write({"end": {}})
        code = 0 if result.wasSuccessful() else 1
        if result.testsRun == 0 and len(result.skipped) == 0 and sys.version_info >= (3, 12):
            code = 5
        state["report"].write({"exit": code})
        if finish:
            sys.exit(code)

    unittest.TestProgram.createTests = create_tests
    unittest.TestProgram.runTests = run_tests


def _mentions(program):
    """Whether a program may be tests that start themselves; loading unittest for others would only cost time."""
    try:
        with open(program, "rb") as file:
            return b"unittest" in file.read(1 << 20)
    except OSError:
        return False


def _begin():
    if "LOADER_RUNNERS" not in os.environ:
        return
    arguments = _arguments()
    for index, word in enumerate(arguments):
        if word == "-m":
            if arguments[index + 1 : index + 2] == ["unittest"]:
                _unittest(arguments[index + 2 :])
            return
        if not word.startswith("-"):
            if _mentions(word):
                _unittest(arguments[index:])
            return
        if word in ("-W", "-X"):
            continue


_begin()
_next()
`,
}
