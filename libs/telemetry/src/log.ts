import { isSpanContextValid, trace } from '@opentelemetry/api';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { redact, redactText } from './redact.ts';

/** Writes log lines; a pino logger. */
export type Logger = PinoLogger;

/** JSON lines with the service's name, the trace they belong to, and nothing that must not be read. */
export function createLog(options: { service: string; level: string; destination?: DestinationStream }): Logger {
  const log = pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      messageKey: 'msg',
      errorKey: 'err',
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      hooks: {
        logMethod([first, ...rest], method) {
          method.apply(this, [first, ...rest.map((arg) => redact(arg))] as Parameters<typeof method>);
        },
        // The last look, at the line as it leaves: messages that pino takes from errors, and whatever else was put together.
        streamWrite: redactText,
      },
      mixin: currentTrace,
    },
    options.destination ?? standardOutput(),
  );
  // pino formats a child's own fields once, without asking any formatter.
  const { child } = log;
  log.child = function (this: Logger, fields: object, more?: object) {
    return child.call(this, redact(fields) as object, more);
  } as Logger['child'];
  return log;
}

export function standardOutput(): DestinationStream {
  return pino.destination({ fd: 1, sync: false, minLength: 0 });
}

function currentTrace(): object {
  const context = trace.getActiveSpan()?.spanContext();
  return context && isSpanContextValid(context) ? { trace_id: context.traceId, span_id: context.spanId } : {};
}
