export { checkUrl } from './check-url.ts';
export { createEgress, type Egress, type EgressResponse } from './egress.ts';
export { EgressError, type EgressReason } from './egress-error.ts';
export { type EgressPolicy, urlProblems } from './target.ts';
