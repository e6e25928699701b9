import { type Context, context, isSpanContextValid, ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api';

/** W3C trace context, version 00: `00-<trace id>-<span id>-<flags>`. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The current span as a header value; undefined outside of any trace. It is passed in gRPC metadata, event headers and stored work. */
export function currentTraceparent(): string | undefined {
  const span = trace.getSpanContext(context.active());
  if (!span || !isSpanContextValid(span)) return undefined;
  return `00-${span.traceId}-${span.spanId}-0${span.traceFlags & TraceFlags.SAMPLED}`;
}

/** The context to start a span in so that it continues the trace named by a header; anything malformed starts a new trace. */
export function contextFrom(traceparent: string | undefined): Context {
  const match = traceparent === undefined ? null : TRACEPARENT.exec(traceparent);
  if (!match) return ROOT_CONTEXT;
  const [, traceId = '', spanId = '', flags = '00'] = match;
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
