import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Around } from '@parley/http';
import { withRequestScope } from '@parley/rpc';
import { contextFrom, type Telemetry } from '@parley/telemetry';

/** How long a request may take altogether; it travels as the deadline of every call made for it. */
const REQUEST_TIME_MAX_MS = 15_000;

/** Where a person waits for a machine that others may be waiting for too: thirty previews at once are spoken in turn. */
const SLOW_ROUTES: Readonly<Record<string, number>> = { '/api/v1/business_numbers/:id/voice_previews': 58_000 };

/** One span, one duration and one deadline per request. Paths are named by their template: ids and numbers stay out. */
export function traceRequests(telemetry: Telemetry): Around {
  const duration = telemetry.meter.createHistogram('parley_http_request_duration_seconds', { unit: 's' });
  return async ({ request, requestId, method, route = 'unknown' }, next) => {
    const started = performance.now();
    const header = request.headers['traceparent'];
    const parent = contextFrom(typeof header === 'string' ? header : undefined);
    const span = telemetry.tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER }, parent);
    const passage = { deadline: Date.now() + (SLOW_ROUTES[route] ?? REQUEST_TIME_MAX_MS), requestId };
    const end = await context.with(withRequestScope(trace.setSpan(parent, span), passage), next);
    span.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': end.status });
    if (end.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    duration.record((performance.now() - started) / 1000, { method, route, status: end.status });
    return end;
  };
}
