"""Faster compilation: kernels are linked into their entry, and machine code is generated once, for the entry.

By default numba optimises every function together with everything it calls, and every caller does so again: a search
is ten levels deep. Here a kernel stops at LLVM's intermediate code. The entry links each kernel below it once and is
optimised as a whole. This halves compile times.

This relies on private names of numba. If they are missing, kernels are compiled in numba's own way: same results, more
time.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any, cast

import numba
from numba.core import compiler, compiler_machinery, types
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.dispatcher import Dispatcher
from numba.core.types.functions import BaseFunction
from numba.extending import lower_cast


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The intermediate code of one kernel and the libraries of its callees. Nothing in it can be executed."""

    _shared_module: Any

    def _optimize_functions(self, module: Any) -> None:
        """Nothing: the entry optimises all kernels as a whole."""

    def finalize(self) -> None:
        """The kernel stays as it is. Several modules that are linked into one may define it."""
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = "linkonce_odr"
        self._finalized = True

    @property
    def codegen(self) -> _Codegen:
        return _Codegen(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def _get_module_for_linking(self) -> Any:
        """The kernel's code and that of all its callees: what numba links into functions that are no entries."""
        if self._shared_module is None:
            self._shared_module = self._final_module.clone()
            _link_all(self._shared_module, self)
        return self._shared_module


class _Codegen:
    """numba's code generator without environments, which kernels do not have."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None: ...


def _below(library: Any, seen: set[Any]) -> Iterator[Any]:
    """The libraries that a kernel needs, each once. Libraries compiled by numba already contain theirs."""
    for part in library._linking_libraries:
        if part not in seen:
            seen.add(part)
            yield part
            if isinstance(part, _KernelLibrary):
                yield from _below(part, seen)


def _link_all(module: Any, library: Any) -> None:
    """Links into the module all code that its library needs."""
    parts = [
        part._final_module if isinstance(part, _KernelLibrary) else part._get_module_for_linking()
        for part in _below(library, {library})
    ]
    for part in parts:
        module.link_in(part, preserve=True)
    # LLVM leaves out a function that nothing needs yet. What a later part needs of an earlier one is linked now.
    missing: set[str] = set()
    while (left := _mangled(module, declared=True)) and left != missing:
        missing = left
        for part in parts:
            if left & _mangled(part, declared=False):
                module.link_in(part, preserve=True)


def _mangled(module: Any, declared: bool) -> set[str]:
    """Names of the functions of Python that a module only declares, or that it defines."""
    return {one.name for one in module.functions if one.is_declaration == declared and one.name.startswith("_ZN")}


# Names of kernels that are not inlined even if called in only one place (`never_inline` in kernels.py).
NEVER_INLINED: set[str] = set()


class _EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry and of all kernels below it, which are private to it.

    Because they are private, the compiler drops unused arguments and errors that are never raised, and inlines kernels
    that are called once. An array is seven arguments, so this makes calls of kernels cheap.
    """

    def finalize(self) -> None:
        _link_all(self._final_module, self)
        self._linking_libraries.clear()  # numba would link them again, each with all its callees
        super().finalize()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
                if any(f"{len(name)}{name}" in function.name for name in NEVER_INLINED):
                    function.add_function_attribute("noinline")
        # numba optimises twice, because it counts references between the two; entries count none. Its vectoriser of
        # loops takes a tenth of the time, and makes searches no faster.
        made = self._codegen._module_pass_manager(loop_vectorize=False)
        passes, *builder = made if isinstance(made, tuple) else (made,)  # older versions of numba make no builder
        passes.run(self._final_module, *builder)


class EntryCompiler(compiler.Compiler):  # type: ignore[misc]
    """numba's own pipeline, for a library with private kernels."""

    def compile_extra(self, function: Any) -> Any:
        self.state.library = _EntryLibrary(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        with _calls_typed_once():
            return super().compile_extra(function)


@contextmanager
def _calls_typed_once() -> Iterator[None]:
    """Inside, numba finds the type of a call once, not for every call in a kernel. It holds its lock meanwhile."""
    functions: Any = BaseFunction
    call_type, collects = functions.get_call_type, gc.isenabled()
    calls: dict[Any, Any] = {}

    def call_type_once(function: Any, context: Any, arguments: Any, named: Any) -> Any:
        if named:
            return call_type(function, context, arguments, named)
        key = (id(function), id(context), *arguments)
        if key not in calls:
            calls[key] = call_type(function, context, arguments, named), function  # kept: its id must stay its own
        return calls[key][0]

    functions.get_call_type = call_type_once
    gc.disable()  # nearly all objects live until the end, and looking for others takes a seventh of the time
    try:
        yield
    finally:
        functions.get_call_type = call_type
        if collects:
            gc.enable()


# Passes of numba that do nothing for a kernel: array fusion (kernels create no arrays), reference counting (switched
# off), and annotations for inspection from Python.
IDLE = {"NopythonRewrites", "IRLegalization", "AnnotateTypes", "DumpParforDiagnostics"}
# Passes that are needed only if a function uses this name, or contains functions.
NAMED = {"FindLiterallyCalls": "literally", "LiteralUnroll": "literal_unroll"}
NESTED = {"InlineClosureLikes", "MakeFunctionToJitFunction"}


class _Passes(compiler_machinery.PassManager):  # type: ignore[misc]
    """A pipeline without timing and reports, which would print all types in every pass."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:  # noqa: N802
        step.analysis = self._analysis
        step.run_initialization(state)
        step.run_pass(state)
        step.run_finalizer(state)


class KernelCompiler(compiler.Compiler):  # type: ignore[misc]
    """numba's own pipeline up to intermediate code, without idle passes, which take a sixth of its time."""

    def compile_extra(self, function: Any) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = _KernelLibrary(codegen, function.__qualname__)
        return super().compile_extra(function)

    def define_pipelines(self) -> Any:
        code = self.state.func_id.func.__code__
        idle = IDLE | {name for name, sought in NAMED.items() if sought not in code.co_names}
        if not any(isinstance(constant, CodeType) for constant in code.co_consts):
            idle |= NESTED
        if (needed := frozenset(idle)) not in _pipelines:
            (whole,) = super().define_pipelines()
            passes = _pipelines[needed] = _Passes(whole.pipeline_name)
            passes.passes = [step for step in whole.passes if step[0].__name__ not in idle]
            passes.finalize()
        return [_pipelines[needed]]


_pipelines: dict[frozenset[str], _Passes] = {}  # by the names of idle passes


def _is_possible() -> bool:
    """Whether numba still has the private names that this file uses."""
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
        and hasattr(compiler_machinery.PassManager, "_runPass")
        and "get_call_type" in vars(BaseFunction)
    )


def _plain(kind: Any) -> Any:
    """The type without literals and sizes: numba would compile a kernel again for every constant in a call, and for
    every size of an array in a record."""
    if isinstance(kind, types.NestedArray):
        return types.Array(kind.dtype, kind.ndim, "C")
    return types.unliteral(kind)


@lower_cast(types.NestedArray, types.Array)  # type: ignore[untyped-decorator]
def _same_array(context: Any, builder: Any, given: Any, wanted: Any, value: Any) -> Any:
    return value


POSSIBLE = _is_possible()
PIPELINE, ENTRY_PIPELINE = (KernelCompiler, EntryCompiler) if POSSIBLE else (compiler.Compiler, compiler.Compiler)


def linked(function: Callable[..., Any], **options: Any) -> Any:
    """A kernel. When Python calls it, which is rare, it is compiled in numba's own way."""
    if not POSSIBLE:
        return numba.njit(**options)(function)
    options |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    kernel = cast(Any, numba.njit(pipeline_class=KernelCompiler, **options)(function))
    alone: list[Any] = []
    inserted: set[Any] = set()

    def compile_alone(*arguments: Any, **named: Any) -> Any:
        if not alone:
            alone.append(numba.njit(**{**options, "no_cpython_wrapper": False})(function))
        called = alone[0]._compile_for_args(*arguments, **named)
        for kinds in alone[0].overloads.keys() - inserted:  # the next call finds the compiled code directly
            made = alone[0].overloads[kinds]
            Dispatcher._insert(kernel, [kind._code for kind in kinds], made.entry_point, made.objectmode)
            inserted.add(kinds)
        return called

    def call_template(arguments: Any, named: Any) -> Any:
        plain = tuple(_plain(kind) for kind in arguments)
        named = {name: _plain(kind) for name, kind in named.items()}
        return Dispatcher.get_call_template(kernel, plain, named)

    kernel.get_call_template = call_template
    kernel._insert = lambda *arguments, **named: None  # Python must not find code that cannot be executed
    kernel._compile_for_args = compile_alone
    return kernel
