import assert from "node:assert/strict";
import { test } from "node:test";
import { responseError } from "./response-error.ts";
import { type ApiError, apiError, isStatus, type StatusReason, successStatus } from "./status.ts";
import * as errors from "./status-errors.ts";
import * as matching from "./status-matching.ts";

const deployments = { group: "apps", plural: "deployments" };
const pods = { group: "", plural: "pods" };
const RETRY = { retryAfterSeconds: 3 };

const cases: ReadonlyArray<
  readonly [error: ApiError, code: number, reason: string, message: string, details: unknown]
> = [
  [
    errors.notFound(deployments, "x"),
    404,
    "NotFound",
    'deployments.apps "x" not found',
    { name: "x", group: "apps", kind: "deployments" },
  ],
  [errors.alreadyExists(pods, "x"), 409, "AlreadyExists", 'pods "x" already exists', { name: "x", kind: "pods" }],
  [
    errors.generateNameConflict(pods, "x", 1),
    409,
    "AlreadyExists",
    'pods "x" already exists, the server was not able to generate a unique name for the object',
    { name: "x", kind: "pods", retryAfterSeconds: 1 },
  ],
  [
    errors.conflict(deployments, "x", errors.OPTIMISTIC_LOCK_MESSAGE),
    409,
    "Conflict",
    'Operation cannot be fulfilled on deployments.apps "x": the object has been modified; please apply your changes to the latest version and try again',
    { name: "x", group: "apps", kind: "deployments" },
  ],
  [errors.badRequest("no"), 400, "BadRequest", "no", undefined],
  [errors.unauthorized(), 401, "Unauthorized", "Unauthorized", undefined],
  [
    errors.forbidden(pods, "x", "it is so"),
    403,
    "Forbidden",
    'pods "x" is forbidden: it is so',
    { name: "x", kind: "pods" },
  ],
  [errors.forbidden(pods, "", "it is so"), 403, "Forbidden", "pods is forbidden: it is so", { kind: "pods" }],
  [errors.forbidden(undefined, "", "it is so"), 403, "Forbidden", "forbidden: it is so", {}],
  [
    errors.methodNotAllowed(),
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
    {},
  ],
  [
    errors.methodNotSupported(deployments, "create"),
    405,
    "MethodNotAllowed",
    'create is not supported on resources of kind "deployments.apps"',
    { group: "apps", kind: "deployments" },
  ],
  [
    errors.notAcceptable(["a/b", "c/d"]),
    406,
    "NotAcceptable",
    "only the following media types are accepted: a/b, c/d",
    undefined,
  ],
  [
    errors.unsupportedMediaType(["a/b", "c/d"]),
    415,
    "UnsupportedMediaType",
    "the body of the request was in an unknown format - accepted media types include: a/b, c/d",
    undefined,
  ],
  [errors.expired("old"), 410, "Expired", "old", undefined],
  [errors.gone("old"), 410, "Gone", "old", undefined],
  [
    errors.tooLarge("limit is 3145728"),
    413,
    "RequestEntityTooLarge",
    "Request entity too large: limit is 3145728",
    undefined,
  ],
  [errors.tooManyRequests("later", 3), 429, "TooManyRequests", "later", RETRY],
  [
    errors.internalError("broken"),
    500,
    "InternalError",
    "Internal error occurred: broken",
    { causes: [{ message: "broken" }] },
  ],
  [
    errors.serverTimeout(deployments, "list", 3),
    500,
    "ServerTimeout",
    "The list operation against deployments.apps could not be completed at this time, please try again.",
    { name: "list", group: "apps", kind: "deployments", ...RETRY },
  ],
  [errors.serviceUnavailable("down"), 503, "ServiceUnavailable", "down", undefined],
  [errors.timeout("slow", 3), 504, "Timeout", "Timeout: slow", RETRY],
  [
    errors.tooLargeResourceVersion(9n, 4n),
    504,
    "Timeout",
    "Timeout: Too large resource version: 9, current: 4",
    {
      causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
      retryAfterSeconds: 1,
    },
  ],
];

for (const [error, code, reason, message, details] of cases) {
  test(`${reason} reads ${JSON.stringify(message)}`, () => {
    assert.deepEqual(error.status, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message,
      reason,
      ...(details === undefined ? {} : { details }),
      code,
    });
    assert.equal(error.message, message);
  });
}

test("each helper matches its refusals and no other", () => {
  const helpers: Readonly<Record<string, (error: unknown) => boolean>> = {
    AlreadyExists: matching.isAlreadyExists,
    BadRequest: matching.isBadRequest,
    Conflict: matching.isConflict,
    Forbidden: matching.isForbidden,
    InternalError: matching.isInternalError,
    Invalid: matching.isInvalid,
    MethodNotAllowed: matching.isMethodNotAllowed,
    NotAcceptable: matching.isNotAcceptable,
    NotFound: matching.isNotFound,
    RequestEntityTooLarge: matching.isTooLarge,
    ServerTimeout: matching.isServerTimeout,
    ServiceUnavailable: matching.isServiceUnavailable,
    Timeout: matching.isTimeout,
    TooManyRequests: matching.isTooManyRequests,
    Unauthorized: matching.isUnauthorized,
    UnsupportedMediaType: matching.isUnsupportedMediaType,
  };
  for (const [error] of cases) {
    for (const [reason, matches] of Object.entries(helpers)) assert.equal(matches(error), reason === error.reason);
  }
  assert.ok(matching.isExpired(errors.expired("")) && matching.isExpired(errors.gone("")));
  for (const matches of Object.values(helpers)) assert.equal(matches(new Error("x")), false);
});

test("a reason nobody knows falls back to the code", () => {
  assert.equal(matching.isNotFound(apiError(404, "Vanished" as StatusReason, "")), true);
  assert.equal(matching.isNotFound(apiError(404, "Conflict", "")), false);
});

test("helpers look at data, so an error of another copy of the package matches", () => {
  const foreign = Object.assign(new Error("x"), { ...errors.tooLargeResourceVersion("9", "4") });
  assert.ok(matching.isTimeout(foreign));
  assert.ok(matching.isTooLargeResourceVersion(foreign));
  assert.equal(matching.retryAfterSecondsOf(foreign), 1);
  assert.equal(matching.retryAfterSecondsOf(errors.badRequest("x")), undefined);
});

test("a response with a Status becomes that error, with the response's code where it has none", () => {
  const { status } = errors.notFound(pods, "x");
  assert.deepEqual(responseError({ method: "GET" }, { code: 404, body: JSON.stringify(status) }).status, status);
  const { code: _code, ...withoutCode } = status;
  assert.equal(responseError({ method: "GET" }, { code: 404, body: JSON.stringify(withoutCode) }).code, 404);
});

test("a response without a Status becomes the error that kubectl shows", () => {
  const request = { method: "GET", resource: deployments, name: "x" };
  const missing = responseError(request, { code: 404, body: "404 page not found\n" });
  assert.equal(missing.message, "the server could not find the requested resource (get deployments.apps x)");
  assert.ok(matching.isNotFound(missing));
  const broken = responseError(
    { method: "GET" },
    { code: 502, body: new Uint8Array([0xff, 0x41]), retryAfterSeconds: 2 },
  );
  assert.equal(broken.message, 'an error on the server ("�A") has prevented the request from succeeding');
  assert.equal(matching.retryAfterSecondsOf(broken), 2);
  assert.ok(matching.isAlreadyExists(responseError({ method: "POST" }, { code: 409, body: "[1]" })));
  assert.ok(matching.isConflict(responseError({ method: "PUT" }, { code: 409, body: "" })));
});

test("a Status is told from other objects", () => {
  assert.equal(isStatus(successStatus({ name: "a" })), true);
  assert.equal(isStatus({ kind: "Status", apiVersion: "example.com/v1" }), false);
});
