export {
  type EndpointResponse,
  type ResponseHeaders,
  json,
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
} from './response.ts';
export { type Api, type ApiOptions, createApi, type Observe } from './api.ts';
export { type AppOptions, createApp } from './app.ts';
export { boundedArray } from './bounded-array.ts';
export { earliestSentAt } from './earliest-sent-at.ts';
export type { HttpLog } from './error-handler.ts';
export { errorResponse, HttpError, unauthorized } from './error-responses.ts';
export type { EndpointTool, ToolAnnotations } from './endpoint-tool.ts';
export { type EndpointRequest, runEndpoint } from './run-endpoint.ts';
export { type Listening, listenHttp } from './listen.ts';
export { type Markup, markup } from './markup.ts';
export { type OpenApiOptions, openApiDocument } from './openapi.ts';
export type { OpenApiDocument } from './openapi-document.ts';
export { type RateLimitResult, createRateLimiter, type RateLimit, type RateLimiter } from './rate-limit.ts';
export {
  type ResponseShape,
  type BodyShape,
  type Method,
  type Endpoint,
  type EndpointInput,
  endpoint,
} from './endpoint.ts';
export { streamArray } from './stream-array.ts';
export { type FieldProblems, type InputPart, type InputProblem, validate } from './validation.ts';
