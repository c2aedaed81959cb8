#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The trees that proofs read of kernels, by libclang's C interface and the texts between its cursors, are those that clang itself
makes: each operator, conversion, number and declaration of all kernels is compared with clang's dump of its syntax tree.

usage: test_prove_tree.py TEST_PROVE_SYNTAX CLANG ROOT
"""
import difflib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TYPES = {'int': 'i32', 'unsigned int': 'u32', 'unsigned': 'u32', 'unsigned long': 'u64', 'unsigned long long': 'u64', 'char': 'i8',
         'unsigned short': 'u16', 'double': 'f64', '_Bool': 'bool', 'bool': 'bool', 'elem': 'f64', 'swapped_bits': 'u64'}
SIZES = {'elem': 8, 'struct pack': 32}
# Conversions of no value: lvalues are read, arrays and functions become pointers.
SILENT = {'LValueToRValue', 'NoOp', 'ArrayToPointerDecay', 'FunctionToPointerDecay', 'BuiltinFnToFnPtr'}


def type_of(node):
    return short(node['type'].get('desugaredQualType') or node['type']['qualType'])


def short(name):
    name = name.strip()
    if name.endswith('*'):
        return short(name[:-1]) + '*'
    if name.endswith('*const'):
        return short(name[:-6]) + '* const'
    if array := re.fullmatch(r'(.*)\[(\d+)\]', name):
        return f'{short(array[1])}[{array[2]}]'
    for qualifier in ('const ', 'volatile '):
        if name.startswith(qualifier):
            return qualifier + short(name[len(qualifier):])
    name = re.sub(r'^(struct|union|enum) ', '', name)
    return TYPES.get(name) or '{%s}' % name


def number(value, name):
    bits = int(name[1:])
    value &= (1 << bits) - 1
    if name[0] == 'i' and value >> (bits - 1):
        value -= 1 << bits
    return f"{value}{'' if name[0] == 'i' else 'u'}{'l' if bits > 32 else ''}"


def cast(node):
    """The text of a conversion, and its value if it is a number."""
    text, value = parts(node['inner'][0])
    kind, name, source = node['castKind'], type_of(node), type_of(node['inner'][0])
    if kind in SILENT:
        return text, value
    if kind == 'IntegralCast' and value is not None:
        return number(value, name), value
    if kind == 'IntegralToFloating' and value is not None:
        return f'{value}.', None
    if kind == 'IntegralCast' and name == source:
        return text, None
    return f'{name}({text})', None


def parts(node):
    kind, inner = node['kind'], node.get('inner', [])
    if kind in ('ParenExpr', 'ConstantExpr'):
        return parts(inner[0])
    if kind in ('ImplicitCastExpr', 'CStyleCastExpr'):
        return cast(node)
    if kind in ('IntegerLiteral', 'UnaryExprOrTypeTraitExpr'):
        value = int(node['value']) if 'value' in node else SIZES[node['argType']['qualType']]
        return number(value, type_of(node)), value
    if kind == 'InitListExpr' and type_of(node)[0] != '{' and '[' not in type_of(node):
        return parts(inner[0])
    texts = [parts(kid)[0] for kid in inner]
    return {
        'FloatingLiteral': lambda: node['value'],
        'StringLiteral': lambda: node['value'],
        'DeclRefExpr': lambda: node['referencedDecl']['name'],
        'MemberExpr': lambda: texts[0] + ('->' if node['isArrow'] else '.') + node['name'],
        'ArraySubscriptExpr': lambda: '{}[{}]'.format(*texts),
        'UnaryOperator': lambda: f"({texts[0]}{node['opcode']})" if node['isPostfix'] else f"({node['opcode']}{texts[0]})",
        'BinaryOperator': lambda: f"({texts[0]} {node['opcode']} {texts[1]})",
        'CompoundAssignOperator': lambda: f"({texts[0]} {node['opcode']} {texts[1]})",
        'ConditionalOperator': lambda: '({} ? {} : {})'.format(*texts),
        'CallExpr': lambda: f"{texts[0]}({', '.join(texts[1:])})",
        'InitListExpr': lambda: '{%s}' % ', '.join(texts),
    }[kind](), None


def expression(node):
    return parts(node)[0] if node.get('kind') else '-'


def declaration(node):
    inner = node.get('inner', [])
    shared = 'shared ' if any(kid['kind'] == 'AnnotateAttr' for kid in inner) else ''
    initial = ' = ' + expression([kid for kid in inner if not kid['kind'].endswith('Attr')][-1]) if 'init' in node else ''
    return shared + type_of(node) + ' ' + node['name'] + initial


def statements(node, depth):
    """Yields the lines of a statement, as rd_syntax_print() writes them."""
    kind, inner, indent = node['kind'], node.get('inner', []), '    ' * depth

    def within(kid):
        return statements(kid, depth if kid['kind'] == 'CompoundStmt' else depth + 1)

    if kind == 'CompoundStmt':
        for kid in inner:
            yield from statements(kid, depth + 1)
    elif kind == 'DeclStmt':
        for kid in inner:
            yield indent + declaration(kid)
    elif kind == 'IfStmt':
        yield indent + 'if ' + expression(inner[0])
        yield from within(inner[1])
        if len(inner) > 2:
            yield indent + 'else'
            yield from within(inner[2])
    elif kind == 'ForStmt':
        first = ', '.join(map(declaration, inner[0]['inner'])) if inner[0].get('kind') == 'DeclStmt' else expression(inner[0])
        yield f'{indent}for {first}; {expression(inner[2])}; {expression(inner[3])}'
        yield from within(inner[4])
    elif kind == 'WhileStmt':
        yield indent + 'while ' + expression(inner[0])
        yield from within(inner[1])
    elif kind == 'DoStmt':
        yield indent + 'do'
        yield from within(inner[0])
        yield indent + 'while ' + expression(inner[1])
    elif kind == 'ReturnStmt':
        yield indent + ' '.join(['return', *map(expression, inner)])
    elif kind in ('BreakStmt', 'ContinueStmt', 'NullStmt'):
        yield indent + {'BreakStmt': 'break', 'ContinueStmt': 'continue', 'NullStmt': ';'}[kind]
    else:
        yield indent + expression(node)


def of_clang(clang, folder, name):
    """The functions of a file of kernels, by clang's own tree."""
    dump = subprocess.run([clang, '-x', 'c', '-std=gnu11', '-w', '-fsyntax-only', '-Xclang', '-ast-dump=json', name], cwd=folder,
                          check=True, stdout=subprocess.PIPE)
    for node in json.loads(dump.stdout)['inner']:
        for kid in node.get('inner', []):
            if node['kind'] == 'FunctionDecl' and kid['kind'] == 'CompoundStmt':
                yield f"{name}: {node['name']}"
                yield from statements(kid, 0)


def main(program, clang, root):
    kernels = pathlib.Path(root) / 'kernels'
    names = sorted(path.name for path in kernels.glob('*.cu'))
    done = subprocess.run([program, *names], stdout=subprocess.PIPE, encoding='utf-8', check=False)
    if done.returncode != 0:
        print(done.stdout, end='')
        return done.returncode
    with tempfile.TemporaryDirectory() as folder:
        for path in [*kernels.glob('*.cu'), *kernels.glob('*.h')]:
            shutil.copy(path, folder)
        shutil.copy(kernels / 'prove_words.h', pathlib.Path(folder) / 'kernel.h')
        (pathlib.Path(folder) / 'half.h').write_text('', encoding='utf-8')
        wanted = [line for name in names for line in of_clang(clang, folder, name)]
    different = list(difflib.unified_diff(wanted, done.stdout.splitlines(), "clang's tree", 'as it is read', lineterm='', n=1))
    print(*different, f'{len(wanted)} lines of kernels', sep='\n')
    return 1 if different or len(wanted) < 1000 else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
