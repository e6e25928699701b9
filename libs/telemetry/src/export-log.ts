import { type Attributes, type Logger, SeverityNumber } from '@opentelemetry/api';
import type { DestinationStream } from 'pino';

const SEVERITIES: Readonly<Record<string, SeverityNumber>> = {
  trace: SeverityNumber.TRACE,
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
};

/**
 * A destination that also sends each line to a collector. It is given the finished line, so that nothing is sent that is not in the
 * log. The line was written within its span, from which the record gets its trace id and span id.
 */
export function exportLog(destination: DestinationStream & Flushable, logger: Logger): DestinationStream & Flushable {
  return {
    write(line) {
      destination.write(line);
      const { level, time, msg, service: _resource, trace_id: _trace, span_id: _span, ...fields } = JSON.parse(line);
      logger.emit({
        timestamp: new Date(time),
        severityText: level,
        severityNumber: SEVERITIES[level] ?? SeverityNumber.UNSPECIFIED,
        body: msg,
        attributes: fields as Attributes,
      });
    },
    flush: (done) => (destination.flush ? destination.flush(done) : done()),
  };
}

interface Flushable {
  flush?(done: (error?: Error) => void): void;
}
