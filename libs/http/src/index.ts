export {
  type EndpointResponse,
  type ResponseHeaders,
  json,
  jsonText,
  type ContentResponse,
  content,
  type EmptyResponse,
  empty,
  html,
  redirect,
  stream,
  streamArray,
} from './responses/response.ts';
export { hasRequiredRole, type Endpoint, endpoint } from './endpoints/endpoint.ts';
export { type Api, createApi, type Observe } from './endpoints/api.ts';
export { createApp } from './server/app.ts';
export { addressKey } from './server/address-key.ts';
export { type HttpLog, errorResponse, HttpError, unauthorized } from './responses/error-responses.ts';
export type { EndpointTool, ToolAnnotations } from './endpoints/endpoint-tool.ts';
export { runEndpoint } from './endpoints/endpoint-input.ts';
export { earliestSentAt, type Listening, listenHttp } from './server/listen.ts';
export { refuseSocket, readTarget, type UpgradeHandler } from './server/raw-requests.ts';
export { type Markup, markup } from './responses/markup.ts';
export { type DescribedWebhook, type OpenApiDocument, openApiDocument } from './openapi/openapi.ts';
export { createSchemaRegistry, type JsonSchema, type SchemaRegistry } from './openapi/openapi-schemas.ts';
export { createRateLimiter, type RateLimiter } from './endpoints/rate-limit.ts';
export { boundedArray, type FieldProblems, type InputProblem, isWritable, validate } from './input/validation.ts';
