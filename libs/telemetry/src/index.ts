export { createLog, type Logger } from './log.ts';
export { redact, redactText } from './redact.ts';
export { type SpanOptions, startTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.ts';
export { contextFrom, currentTraceparent } from './traceparent.ts';
export { type Attributes, type Span, SpanKind } from '@opentelemetry/api';
