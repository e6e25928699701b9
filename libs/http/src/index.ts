export {
  type EndpointResponse,
  type ResponseHeaders,
  json,
  jsonText,
  type Chunk,
  type ContentResponse,
  content,
  type EmptyResponse,
  empty,
  html,
  type JsonResponse,
  redirect,
  type StreamResponse,
  stream,
} from './responses/response.ts';
export { hasRequiredRole } from './endpoints/access.ts';
export { type Api, type ApiOptions, createApi, type Observe } from './endpoints/api.ts';
export { type AppOptions, createApp } from './server/app.ts';
export { addressKey } from './server/address-key.ts';
export type { HttpLog } from './responses/error-handler.ts';
export { errorResponse, HttpError, unauthorized } from './responses/error-responses.ts';
export type { EndpointTool, ToolAnnotations } from './endpoints/endpoint-tool.ts';
export { type EndpointRequest, runEndpoint } from './endpoints/run-endpoint.ts';
export { earliestSentAt, type Listening, listenHttp, type ListenOptions } from './server/listen.ts';
export { refuseSocket } from './server/raw-response.ts';
export { readTarget, type RequestTarget } from './server/request-target.ts';
export type { UpgradeHandler } from './server/upgrades.ts';
export { type Markup, markup } from './responses/markup.ts';
export { type OpenApiOptions, openApiDocument } from './openapi/openapi.ts';
export type { OpenApiDocument } from './openapi/openapi-document.ts';
export { type RateLimitResult, createRateLimiter, type RateLimit, type RateLimiter } from './endpoints/rate-limit.ts';
export {
  type ResponseShape,
  type BodyShape,
  type Method,
  type Endpoint,
  type EndpointInput,
  endpoint,
  type RequiredRole,
  type RoleHolder,
} from './endpoints/endpoint.ts';
export { streamArray } from './responses/stream-array.ts';
export {
  boundedArray,
  type FieldProblems,
  type InputPart,
  type InputProblem,
  isWritable,
  validate,
} from './input/validation.ts';
