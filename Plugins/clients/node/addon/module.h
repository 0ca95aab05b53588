#pragma once

#include <node_api.h>
#include <stddef.h>

/// Registers what makes a witness, which writes down what a connection of node's own receives.
void witness_register(napi_env env, napi_value exports);

/// Registers what verifies a chain at an instant, without a connection.
void trust_register(napi_env env, napi_value exports);

/// Registers the list of cipher suites.
void suites_register(napi_env env, napi_value exports);

void module_function(napi_env env, napi_value exports, const char *name, napi_callback function);

/// The bytes as a new Buffer, or null where there are none.
napi_value module_bytes(napi_env env, const void *data, size_t size);

napi_value module_number(napi_env env, double number);
napi_value module_text(napi_env env, const char *text);
void module_set(napi_env env, napi_value object, const char *name, napi_value value);
