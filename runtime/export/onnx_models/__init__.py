"""ONNX models: graphs written as ONNX, and ONNX read as functions; ``runtime.export`` has the door.

``exporting`` traces what is exported, ``model_writer`` makes the model, ``graph_writer`` writes the
operations of a graph by the rules of ``rules/``, ``operators`` lists operators that mean the same
in both worlds, and ``importing`` reads a model by the rules of ``reading/``.
"""
