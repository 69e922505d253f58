"""Kernels are linked, not compiled one by one: the machine's code is made once, for the entry that uses them.

Left to itself numba optimises and generates every function together with all that it calls, and the caller does so
again, level by level: a search is ten levels deep. A kernel made here stops at LLVM's intermediate code. The entry
links the kernels below it, each once, and the whole is optimised and generated in one go, inlined as before.

It stands on names that numba does not promise to keep. Where they are gone kernels are compiled as numba does it, with
the same results in more time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, cast

import numba
from numba.core import compiler, compiler_machinery, dispatcher, types
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.dispatcher import Dispatcher


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel, and the libraries of those it calls; nothing in it can be run."""

    _shared_module: Any

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    @property
    def codegen(self) -> _Codegen:
        return _Codegen(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def _get_module_for_linking(self) -> Any:
        """Its own code and that of all it calls, each library once, made fit for being linked into several."""
        if self._shared_module is None:
            whole = self._final_module.clone()
            for library in _below(self, {self}):
                part = library._final_module if isinstance(library, _KernelLibrary) else _shared(library)
                whole.link_in(_linkable(part), preserve=True)
            self._shared_module = _linkable(whole)
        return self._shared_module


class _Codegen:
    """numba's generator of code, but for the addresses of what a kernel does not have."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None: ...


def _below(library: Any, seen: set[Any]) -> Iterator[Any]:
    """The libraries that a kernel needs, its own aside, each once; those that numba compiled hold what they need."""
    for part in library._linking_libraries:
        if part not in seen:
            seen.add(part)
            yield part
            if isinstance(part, _KernelLibrary):
                yield from _below(part, seen)


def _shared(library: Any) -> Any:
    return library._get_module_for_linking()


def _linkable(module: Any) -> Any:
    """A module whose functions may be defined in several others too."""
    names = [function.name for function in module.functions if _is_defined_once(function)]
    if names:
        module = module.clone()
        for name in names:
            module.get_function(name).linkage = "linkonce_odr"
    return module


def _is_defined_once(function: Any) -> bool:
    return not function.is_declaration and function.linkage.name == "external"


# Names of kernels that stay calls even where one place alone calls them (see `aside` of kernels.py).
NEVER_INLINED: set[str] = set()


class _EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry and of all kernels below it, which nobody else can call.

    Once the compiler knows that, it drops arguments that a kernel does not read and errors that none raises, and
    inlines what is called in one place. An array is seven arguments, so calls of kernels become cheap.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
                if any(f"{len(name)}{name}" in function.name for name in NEVER_INLINED):
                    function.add_function_attribute("noinline")
        super()._optimize_final_module()


class EntryCompiler(compiler.Compiler):  # type: ignore[misc]
    """numba's own pipeline, for a library that keeps its kernels to itself."""

    def compile_extra(self, function: Any) -> Any:
        self.state.library = _EntryLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


# Passes of numba that do nothing for a kernel: fusing arrays that it must not make, counting references that are not
# counted, notes for people who look at a function from Python.
IDLE = {"NopythonRewrites", "IRLegalization", "AnnotateTypes", "DumpParforDiagnostics"}
# Those that look for one name in a function, and for functions inside it.
NAMED = {"FindLiterallyCalls": "literally", "LiteralUnroll": "literal_unroll"}
NESTED = {"InlineClosureLikes", "MakeFunctionToJitFunction"}


class _Passes(compiler_machinery.PassManager):  # type: ignore[misc]
    """A pipeline without a stopwatch and without a report of every pass, which writes out all types each time."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:  # noqa: N802
        step.analysis = self._analysis
        step.run_initialization(state)
        step.run_pass(state)
        step.run_finalizer(state)


class KernelCompiler(compiler.Compiler):  # type: ignore[misc]
    """numba's own pipeline up to intermediate code, without the passes that find nothing to do: a sixth of its time."""

    def compile_extra(self, function: Any) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = _KernelLibrary(codegen, function.__qualname__)
        return super().compile_extra(function)

    def define_pipelines(self) -> Any:
        code = self.state.func_id.func.__code__
        idle = IDLE | {name for name, sought in NAMED.items() if sought not in code.co_names}
        if not any(isinstance(constant, CodeType) for constant in code.co_consts):
            idle |= NESTED
        (whole,) = super().define_pipelines()
        passes = _Passes(whole.pipeline_name)
        passes.passes = [step for step in whole.passes if step[0].__name__ not in idle]
        passes.finalize()
        return [passes]


class _Flags(compiler.Flags):  # type: ignore[misc]
    """numba's flags of a function, by which it looks up every call that it types: compared as they were set."""

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(frozenset(self._values))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, compiler.Flags) and self._values == other._values


def _is_possible() -> bool:
    """Whether numba still has the names that this file stands on."""
    methods = (
        "_raise_if_finalized",
        "_ensure_finalized",
        "_get_module_for_linking",
        "_optimize_final_module",
        "enable_object_caching",
        "get_pointer_to_function",
    )
    parts = {"_linking_libraries", "_final_module", "_shared_module"}
    return (
        all(hasattr(JITCodeLibrary, name) for name in methods)
        and parts <= set(CPUCodeLibrary.__init__.__code__.co_names)
        and all(hasattr(Dispatcher, name) for name in ("_insert", "_compile_for_args", "get_call_template"))
        and hasattr(getattr(dispatcher, "_FunctionCompiler", None), "_customize_flags")
        and hasattr(compiler_machinery.PassManager, "_runPass")
        and hasattr(compiler.Flags(), "_values")
    )


POSSIBLE = _is_possible()
PIPELINE, ENTRY_PIPELINE = (KernelCompiler, EntryCompiler) if POSSIBLE else (compiler.Compiler, compiler.Compiler)


def linked(function: Callable[..., Any], **options: Any) -> Any:
    """A kernel; called from Python, which few do, it is compiled as numba does it."""
    if not POSSIBLE:
        return numba.njit(**options)(function)
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    found = cast(Any, numba.njit(pipeline_class=KernelCompiler, **options)(function))
    alone: list[Any] = []
    inserted: set[Any] = set()

    def compile_alone(*arguments: Any, **named: Any) -> Any:
        if not alone:
            alone.append(numba.njit(**{**options, "no_cpython_wrapper": False})(function))
        called = alone[0]._compile_for_args(*arguments, **named)
        for kinds in alone[0].overloads.keys() - inserted:  # the next call finds it by itself
            made = alone[0].overloads[kinds]
            Dispatcher._insert(found, [kind._code for kind in kinds], made.entry_point, made.objectmode)
            inserted.add(kinds)
        return called

    def call_template(arguments: Any, named: Any) -> Any:
        """numba would compile a kernel once more for every number that is written out in a call."""
        plain = tuple(types.unliteral(kind) for kind in arguments)
        return Dispatcher.get_call_template(found, plain, {name: types.unliteral(kind) for name, kind in named.items()})

    found._compiler._customize_flags = _Flags
    found.get_call_template = call_template
    found._insert = lambda *arguments, **named: None  # Python must not find what cannot be run
    found._compile_for_args = compile_alone
    return found
