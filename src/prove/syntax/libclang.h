// SPDX-License-Identifier: MIT
/* libclang, loaded when it is first needed: no other command waits for it, and a program that was built with it runs where it is
 * not. Private to the readers of syntax. */
#ifndef RD_PROVE_LIBCLANG_H
#define RD_PROVE_LIBCLANG_H

#include "reductio/status.h"

#include <clang-c/Index.h>

#define RD_LIBCLANG_FUNCTIONS(X)                                                                   \
    X(createIndex)                                                                                 \
    X(disposeIndex)                                                                                \
    X(toggleCrashRecovery)                                                                         \
    X(parseTranslationUnit2)                                                                       \
    X(disposeTranslationUnit)                                                                      \
    X(getNumDiagnostics)                                                                           \
    X(getDiagnostic)                                                                               \
    X(disposeDiagnostic)                                                                           \
    X(getDiagnosticSeverity)                                                                       \
    X(getDiagnosticSpelling)                                                                       \
    X(getDiagnosticLocation)                                                                       \
    X(getCString)                                                                                  \
    X(disposeString)                                                                               \
    X(getTranslationUnitCursor)                                                                    \
    X(visitChildren)                                                                               \
    X(getCursorKind)                                                                               \
    X(getCursorKindSpelling)                                                                       \
    X(getCursorSpelling)                                                                           \
    X(getCursorType)                                                                               \
    X(getCursorResultType)                                                                         \
    X(getCursorReferenced)                                                                         \
    X(getCursorDefinition)                                                                         \
    X(getSpecializedCursorTemplate)                                                                \
    X(getCursorUSR)                                                                                \
    X(getCursorLocation)                                                                           \
    X(Range_isNull)                                                                                \
    X(getCursorExtent)                                                                             \
    X(getCursorSemanticParent)                                                                     \
    X(getCanonicalCursor)                                                                          \
    X(equalCursors)                                                                                \
    X(Cursor_isNull)                                                                               \
    X(isExpression)                                                                                \
    X(isDeclaration)                                                                               \
    X(isAttribute)                                                                                 \
    X(isCursorDefinition)                                                                          \
    X(getRangeStart)                                                                               \
    X(getRangeEnd)                                                                                 \
    X(getExpansionLocation)                                                                        \
    X(getPresumedLocation)                                                                         \
    X(Location_isInSystemHeader)                                                                   \
    X(getEnumDeclIntegerType)                                                                      \
    X(getTypeDeclaration)                                                                          \
    X(Cursor_getVarDeclInitializer)                                                                \
    X(Cursor_getStorageClass)                                                                      \
    X(Cursor_Evaluate)                                                                             \
    X(EvalResult_getKind)                                                                          \
    X(EvalResult_isUnsignedInt)                                                                    \
    X(EvalResult_getAsUnsigned)                                                                    \
    X(EvalResult_getAsLongLong)                                                                    \
    X(EvalResult_dispose)                                                                          \
    X(getCanonicalType)                                                                            \
    X(equalTypes)                                                                                  \
    X(getTypeSpelling)                                                                             \
    X(isConstQualifiedType)                                                                        \
    X(isVolatileQualifiedType)                                                                     \
    X(getPointeeType)                                                                              \
    X(getArrayElementType)                                                                         \
    X(getArraySize)                                                                                \
    X(Type_getSizeOf)                                                                              \
    X(Type_visitFields)                                                                            \
    X(isPODType)                                                                                   \
    X(Type_getNumTemplateArguments)                                                                \
    X(Type_getTemplateArgumentAsType)

/* clang_createIndex is createIndex here, and so on. */
struct rd_libclang {
#define RD_LIBCLANG_MEMBER(name) __typeof__(clang_##name) *name;
    RD_LIBCLANG_FUNCTIONS(RD_LIBCLANG_MEMBER)
#undef RD_LIBCLANG_MEMBER
};

/* Gives what to call, until the process ends. RD_ERROR_IO: it can't be loaded, with what to install. */
enum rd_status rd_libclang_load(const struct rd_libclang **libclang, struct rd_error *error);

#endif
