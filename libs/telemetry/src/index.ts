export { counterFromZero } from './counter-from-zero.ts';
export { createLog, type Logger } from './log.ts';
export { redactText } from './redact.ts';
export { startTelemetry, type Telemetry, contextFrom, currentTraceparent } from './telemetry.ts';
export { SpanKind } from '@opentelemetry/api';
