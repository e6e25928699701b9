export {
  type Answer,
  type AnswerHeaders,
  answer,
  type Chunk,
  type ContentAnswer,
  content,
  type EmptyAnswer,
  empty,
  html,
  type JsonAnswer,
  redirect,
  type StreamAnswer,
  stream,
} from './answer.ts';
export {
  type Api,
  type ApiOptions,
  type Around,
  createApi,
  type Handle,
  type HttpLog,
  type RequestEnd,
  type RequestStart,
} from './api.ts';
export { apiPageSecurityPolicy, renderApiPage } from './api-page.ts';
export { type AppOptions, createApp } from './app.ts';
export { parseJson } from './body.ts';
export { HttpError, unauthorized } from './error-answers.ts';
export { type Listening, listenHttp } from './listen.ts';
export { type Markup, markup } from './markup.ts';
export { type OpenApiOptions, openApiDocument } from './openapi.ts';
export type { OpenApiDocument } from './openapi-document.ts';
export { type Admission, createRateLimiter, type RateLimit, type RateLimiter } from './rate-limit.ts';
export { type AnswerShape, type BodyShape, type Method, type Route, type RouteInput, route } from './route.ts';
export { streamArray } from './stream-array.ts';
export type { FieldProblems, InputPart, InputProblem } from './validation.ts';
