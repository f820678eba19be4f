"""Help texts of the commands."""

ABOUT = "Rewrite plain Python so that its control flow can run as a dataflow graph."
EPILOG = """\
examples:
  autograph check src                        what will not stage, without running anything
  autograph convert model.py -o converted.py
  autograph code model.py:step
  autograph graph model.py:step int32[] -o step.svg
  autograph build model.py:step int32[] -o step.so
  autograph run model.py:step 27

exit codes:
  0    all is well
  1    something was found: files that would change, differences, findings of `check`;
       or the user's program failed
  2    something could not be done: a wrong option, a file that is not to be had or not Python
  130  interrupted by Ctrl-C
  141  whoever read the output went away

NO_COLOR and FORCE_COLOR switch colours off and on.  `autograph COMMAND --help` says more about
a command, docs/cli.md everything.
"""
CONVERT = """\
Convert every function and method of files and folders.  A converted module behaves as the
original; in addition its functions accept staged values.  Module-level statements, decorators,
comments and functions without control flow or calls stay as they are.  It needs `autograph` to
be installed.

Without -o, one file goes to standard output; --in-place overwrites the sources, which -o refuses
to do.  With -o, a folder's files keep their places: DIR
gets what the folder holds.  Several paths keep their names inside of DIR.  Files are written
whole or not at all, with their line ends, encoding and permissions.  A file that cannot be
converted is reported as file:line:col, and the others are converted.  Folders whose name begins
with a dot, __pycache__, __pypackages__, node_modules and virtual environments are left out, and
links to folders are not followed.
"""
CONVERT_EPILOG = """\
examples:
  autograph convert model.py                   write the converted module to standard output
  autograph convert model.py -o converted.py   write it to a file
  autograph convert --in-place model.py src    write each result to its source
  autograph convert src -o build/src           a tree; with --copy its other files, too
  autograph convert src -o build/src --check   is build/src up to date?
  autograph convert --diff model.py            what would change
  autograph convert --verify src -o build/src  write what passes its doctests as before
  cat model.py | autograph convert -           read standard input

exit codes:
  0    done; with --check or --diff: nothing would change
  1    --check, --diff: something would change; --verify: doctests differ
  2    a file could not be read, converted, verified or written, or a wrong option
"""
CHECK = """\
List what will not stage in files and folders, without running or importing anything, as
`file:line:col CODE message`.  Only conditions that seem to be about numbers that the function is
given are taken for staged; --strict takes all that depend on a parameter.  Nothing that is found
is wrong as plain Python.

`# noqa` at the end of a line hides what is found there, `# noqa: AG101` one code.  The codes,
with an example and the remedy for each, are in docs/check.md.
"""
CHECK_EPILOG = """\
examples:
  autograph check model.py src
  autograph check --select AG1 src              only codes that begin with AG1
  autograph check --ignore AG203,AG301 src
  autograph check --statistics src              how often each code was found
  autograph check --output-format github src    annotations for GitHub's checks
  autograph check --explain AG203               what a code means, and the remedy
  cat model.py | autograph check - --stdin-filename model.py

exit codes:
  0    nothing was found
  1    something was found
  2    a file could not be read, or a wrong option
"""
EXPLAIN = """\
Explain a class of errors, as the last line of an error names it, or a code of `check`: what it
means, an example, and what to write instead.  Without CODE, list the classes of errors.
"""
EXPLAIN_EPILOG = """\
examples:
  autograph explain dtype_join
  autograph explain AG203
  autograph explain               all classes of errors

exit codes:
  0    shown
  2    there is no such page
"""
CODE = """\
Show what becomes of one function.  The file is imported to find it: a file, which may be inside of
a package and import relatively, a notebook, or a module by its name.  With --html, write a page
with the source on the left and the generated code on the right: the lines that belong together
light up.
"""
CODE_EPILOG = """\
examples:
  autograph code examples/collatz.py:collatz
  autograph code model.py:Model.step          a method
  autograph code textwrap:fill                a function of a module that Python finds
  autograph code --html model.py:step -o step.html

exit codes:
  0    shown
  1    the file's own code failed
  2    the file or the function is not to be had
"""
GRAPH = """\
Draw the graph that a function becomes, without running it: branches and loops are boxes inside of
boxes, lines carry dtypes and shapes, a pointer that rests on a box shows the source line.  The file
is imported.  A SPEC says what an argument is: a dtype and a shape, such as f32[3,?], float64[*] or
int32[], or a Python literal; NAME=SPEC passes it by keyword.  FUNCTION may also be a traced
function, a graph or a Keras model; a traced function with an input_signature, a graph and a model
take no SPEC.

The suffix of OUT names the format: .svg is a picture, .html a page whose boxes open and close,
.dot text for the programs of Graphviz.  The file is written whole or not at all.
"""
GRAPH_EPILOG = """\
examples:
  autograph graph examples/collatz.py:collatz int32[] -o collatz.svg
  autograph graph model.py:total f32[3,?] scale=0.5 -o total.html
  autograph graph model.py:total 'f32[?, 2]' 'f32[]' --optimized -o total.dot
  autograph graph model.py:step i64[]           SVG goes to standard output

exit codes:
  0    drawn
  1    the file's own code failed
  2    the file or the function is not to be had, or a wrong SPEC or OUT
"""
BUILD = """\
Build native code of a function, which needs no Python, or a graph in another format.  The file is
imported.  A SPEC says what an argument is: a dtype and a shape, such as f32[3,?] or int32[], or a
Python literal; NAME=SPEC passes it by keyword.  FUNCTION may also be a traced function with an
input_signature or a Keras model, which take no SPEC.

The suffix of OUT names the format: .o an object file, .a a static library, .so a shared library,
each with a C header beside it; .wasm a WebAssembly module; .c-project a folder with a C program
that uses the function; .onnx an ONNX model; .stablehlo and .mlir a module for CPUs, CUDA and TPUs.
Files are written whole or not at all.
"""
BUILD_EPILOG = """\
examples:
  autograph build examples/collatz.py:collatz int32[] -o collatz.c-project
  autograph build model.py:total f32[3] scale=0.5 -o total.so
  autograph build model.py:step i64[] -o step.o --target aarch64
  autograph build model.py:step i64[] -o step.o --target x86-64-v3 --cpu znver4
  autograph build model.py:step i64[] -o step.wasm
  autograph build model.py:step i64 -o step.onnx

exit codes:
  0    built
  1    the file's own code failed
  2    the file or the function is not to be had, it has no native code, or a wrong SPEC or OUT
"""
LAUNCH = """\
Run a script in several processes that MPI connects, as tf.distribute.MultiWorkerMirroredStrategy
needs it.  It needs the extra mpi.  When a process dies, the others are told which, and ended; with
--restarts all start again, and keras.callbacks.BackupAndRestore goes on from the last backup.
"""
LAUNCH_EPILOG = """\
examples:
  autograph launch -n 4 train.py
  autograph launch -n 2 --restarts 3 train.py --epochs 10

exit codes:
  0    all processes have ended well
  1    the script failed; another code if it called sys.exit with one
  2    there is no script, a process has died, or the time is over
"""
RUN = """\
Run a function twice, eagerly and as a graph, and compare values, dtypes and printed text.  The
file is imported.  An argument is a Python literal, nan, inf, or else text; NAME=VALUE passes it by
keyword if the function takes NAME.  Quote text that would be something else twice: '"nan"'.
Numbers and lists become tensors, also inside tuples and dicts.
"""
RUN_EPILOG = """\
examples:
  autograph run examples/collatz.py:collatz 27
  autograph run model.py:total '[[1.0, 2.0], [3.0, 4.0]]' 0.5
  autograph run model.py:total '[nan, 1.0]' scale=0.5
  autograph run model.py:greet World
  autograph run examples/collatz.py:collatz 27 --backend jax

exit codes:
  0    both are equal
  1    they differ, or the function fails
  2    the file or the function is not to be had
"""
