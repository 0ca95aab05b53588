/// verify({chain, anchors, instant, purpose, maxDepth}) is a promise: a hostile chain costs a thread its time, and not
/// the one that keeps the deadlines.
#include "module.h"
#include "verification.h"

#include <openssl/crypto.h>
#include <stdlib.h>

struct job {
    struct verification verification;
    napi_ref question; // Keeps the buffers of the certificates.
    napi_async_work work;
    napi_deferred deferred;
};

/// Reads an array of Buffers. They are borrowed, and kept by the job's reference to the question.
static bool read_list(napi_env env, napi_value question, const char *name, struct der_list *list) {
    napi_value array;
    uint32_t count = 0;
    if (napi_get_named_property(env, question, name, &array) != napi_ok
        || napi_get_array_length(env, array, &count) != napi_ok) {
        return false;
    }
    list->items = calloc(count + 1, sizeof *list->items);
    if (list->items == NULL) return false;
    for (uint32_t i = 0; i < count; i++) {
        napi_value item;
        void *data = NULL;
        if (napi_get_element(env, array, i, &item) != napi_ok
            || napi_get_buffer_info(env, item, &data, &list->items[i].size) != napi_ok) {
            return false;
        }
        list->items[i].data = data;
    }
    list->count = count;
    return true;
}

static bool read_number(napi_env env, napi_value question, const char *name, int64_t *number) {
    napi_value value;
    return napi_get_named_property(env, question, name, &value) == napi_ok
        && napi_get_value_int64(env, value, number) == napi_ok;
}

static bool read_question(napi_env env, napi_value question, struct verification *verification) {
    int64_t purpose = 0, depth = 0;
    if (!read_list(env, question, "chain", &verification->chain)
        || !read_list(env, question, "anchors", &verification->anchors)
        || !read_number(env, question, "instant", &verification->instant)
        || !read_number(env, question, "purpose", &purpose) || !read_number(env, question, "maxDepth", &depth)) {
        return false;
    }
    if (purpose < PURPOSE_SERVER || purpose > PURPOSE_ANY) return false;
    verification->purpose = (enum verification_purpose)purpose;
    verification->maximal_depth = depth < 0 ? -1 : depth > 1000 ? 1000 : (int)depth;
    return true;
}

static void job_free(napi_env env, struct job *job) {
    if (job->question != NULL) napi_delete_reference(env, job->question);
    if (job->work != NULL) napi_delete_async_work(env, job->work);
    verification_free(&job->verification);
    free(job->verification.chain.items);
    free(job->verification.anchors.items);
    free(job);
}

static napi_value problems_value(napi_env env, const struct verification *verification) {
    napi_value list = NULL;
    napi_create_array_with_length(env, verification->problem_count, &list);
    for (size_t i = 0; i < verification->problem_count; i++) {
        napi_value problem = NULL;
        napi_create_object(env, &problem);
        module_set(env, problem, "code", module_number(env, verification->problems[i].code));
        module_set(env, problem, "depth", module_number(env, verification->problems[i].depth));
        const char *words = X509_verify_cert_error_string(verification->problems[i].code);
        module_set(env, problem, "message", module_text(env, words));
        napi_set_element(env, list, (uint32_t)i, problem);
    }
    return list;
}

static napi_value path_value(napi_env env, STACK_OF(X509) * path) {
    napi_value list = NULL;
    if (path == NULL) return module_bytes(env, NULL, 0);
    napi_create_array_with_length(env, (size_t)sk_X509_num(path), &list);
    for (int i = 0; i < sk_X509_num(path); i++) {
        unsigned char *der = NULL;
        int size = i2d_X509(sk_X509_value(path, i), &der);
        napi_set_element(env, list, (uint32_t)i, module_bytes(env, der, size < 0 ? 0 : (size_t)size));
        OPENSSL_free(der);
    }
    return list;
}

static void job_run(napi_env env, void *data) {
    (void)env;
    verification_run(&((struct job *)data)->verification);
}

static void job_end(napi_env env, napi_status status, void *data) {
    (void)status;
    struct job *job = data;
    const struct verification *verification = &job->verification;
    napi_value answer = NULL, flag = NULL;
    napi_create_object(env, &answer);
    module_set(env, answer, "malformed", module_number(env, verification->malformed));
    napi_get_boolean(env, verification->has_begun, &flag);
    module_set(env, answer, "hasBegun", flag);
    napi_get_boolean(env, verification->is_accepted, &flag);
    module_set(env, answer, "isAccepted", flag);
    module_set(env, answer, "problems", problems_value(env, verification));
    module_set(env, answer, "path", path_value(env, verification->path));
    napi_resolve_deferred(env, job->deferred, answer);
    job_free(env, job);
}

static napi_value verify(napi_env env, napi_callback_info info) {
    napi_value question, name, promise;
    size_t count = 1;
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL) return NULL;
    if (napi_get_cb_info(env, info, &count, &question, NULL, NULL) != napi_ok || count != 1
        || !read_question(env, question, &job->verification)
        || napi_create_reference(env, question, 1, &job->question) != napi_ok
        || napi_create_string_utf8(env, "verify", NAPI_AUTO_LENGTH, &name) != napi_ok
        || napi_create_async_work(env, NULL, name, job_run, job_end, job, &job->work) != napi_ok
        || napi_create_promise(env, &job->deferred, &promise) != napi_ok
        || napi_queue_async_work(env, job->work) != napi_ok) {
        job_free(env, job);
        napi_throw_type_error(env, NULL, "verify() takes a question about a chain");
        return NULL;
    }
    return promise;
}

void trust_register(napi_env env, napi_value exports) {
    verification_prepare();
    module_function(env, exports, "verify", verify);
}
