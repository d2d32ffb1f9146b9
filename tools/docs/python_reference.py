# SPDX-License-Identifier: BSD-3-Clause
"""A page of hilda's Python module, from its signatures and docstrings."""
import ast


def signature(node):
    arguments = ast.unparse(node.args)
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){result}"


def documented(node, level, name):
    lines = ["", f"{'#' * level} {name}", ""]
    if isinstance(node, ast.FunctionDef) and not is_property(node):
        lines += ["```python", signature(node), "```", ""]
    elif isinstance(node, ast.FunctionDef) and node.returns:
        lines += [f"`{ast.unparse(node.returns)}`", ""]
    text = ast.get_docstring(node)
    return lines + ([text] if text else [])


def is_property(node):
    return any(isinstance(each, ast.Name) and each.id == "property" for each in node.decorator_list)


def page(stub):
    lines = ["# Python reference", "", "After reading this page you can call every class and function of the module `hilda`."]
    for node in ast.parse(stub.read_text()).body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("_"):
            continue
        lines += documented(node, 2, node.name)
        for member in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(member, ast.FunctionDef) and (not member.name.startswith("_") or member.name in ("__init__", "__getitem__")):
                lines += documented(member, 3, f"{node.name}.{member.name}")
    return "\n".join(lines) + "\n"
