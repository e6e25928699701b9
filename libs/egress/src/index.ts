export { checkUrl, type UrlCheck } from './check-url.ts';
export { createEgress, type Egress, type EgressOptions, type EgressRequest, type EgressResponse } from './egress.ts';
export { EgressError, type EgressReason } from './egress-error.ts';
export type { ResolveHost } from './guarded-connect.ts';
export { type EgressPolicy, type UrlProblem, urlProblems } from './target.ts';
