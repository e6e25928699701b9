import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Observe } from '@parley/http';
import { withRequestScope } from '@parley/rpc';
import { contextFrom, redactText, type Telemetry } from '@parley/telemetry';
import type { AddressOf } from './client-address/client-address.ts';

/** Recorded in telemetry when the client closed the connection before it had its response. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * One span, one duration and one deadline per request, which is that of every call made for it: `requestTimeMaxMs` after its
 * start, unless its endpoint has its own limit. Paths are reported by their template, without ids and phone numbers.
 */
export function traceRequests(telemetry: Telemetry, requestTimeMaxMs: number, addressOf: AddressOf): Observe {
  const duration = telemetry.meter.createHistogram('parley_http_request_duration_seconds', { unit: 's' });
  return ({ template: route = 'unknown', timeLimitMs = requestTimeMaxMs }) =>
    (request, response, next) => {
      const { method, headers } = request;
      const started = performance.now();
      const { traceparent } = headers;
      const parent = contextFrom(typeof traceparent === 'string' ? traceparent : undefined);
      const { requestId } = response.locals;
      const span = telemetry.tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER }, parent);
      // The client may have chosen it.
      if (telemetry.recording) span.setAttribute('parley.request_id', redactText(requestId));
      response.once('close', () => {
        const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
        span.setAttributes({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status });
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        duration.record((performance.now() - started) / 1000, { method, route, status });
      });
      const scope = { deadline: Date.now() + timeLimitMs, requestId, address: addressOf(request) };
      context.with(withRequestScope(trace.setSpan(parent, span), scope), next);
    };
}
