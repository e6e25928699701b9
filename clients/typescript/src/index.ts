export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  CursorExpiredError,
  NotFoundError,
  ParleyError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from './errors.ts';
export type { EventOf, UnknownEvent } from './events/event.ts';
export type { EventQuery } from './events/event-methods.ts';
export type { FollowedEvent, FollowOptions } from './events/follow.ts';
export type { EventType, WebhookEvent } from './generated/events.ts';
export type * from './generated/types.ts';
export { HttpClient, type HttpClientOptions, type RawRequest } from './http-client.ts';
export {
  type ClientRegistration,
  type DeviceAuthorization,
  ParleyOAuth,
  type ParleyOAuthOptions,
  type PendingAuthorization,
  type RegisteredClient,
} from './oauth/parley-oauth.ts';
export type { OAuthOptions, RenewTokens } from './oauth/token-credential.ts';
export type { OAuthTokens } from './oauth/tokens.ts';
export type { Page, PagePromise } from './pages.ts';
export { Parley, type ParleyOptions } from './parley.ts';
export type { ApiResponse, QueryValue, RequestOptions } from './transport/transport.ts';
