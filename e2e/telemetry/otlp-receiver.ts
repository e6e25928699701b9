import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** What is asked of a span here. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
}

/** A collector that speaks OTLP over HTTP and keeps the spans it is sent. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  close(): void;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...readTraces(Buffer.concat(chunks)));
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The fields of a message by number, the length-delimited ones only: that is all these messages need. */
function fields(bytes: Uint8Array): Map<number, Uint8Array[]> {
  const reader = new BinaryReader(bytes);
  const found = new Map<number, Uint8Array[]>();
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (type === WireType.LengthDelimited) found.set(number, [...(found.get(number) ?? []), reader.bytes()]);
    else reader.skip(type);
  }
  return found;
}

const all = (bytes: Uint8Array | undefined, number: number) => (bytes ? (fields(bytes).get(number) ?? []) : []);
const first = (bytes: Uint8Array | undefined, number: number) => all(bytes, number)[0];
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');

/** Field numbers of opentelemetry.proto.trace.v1: ResourceSpans (1), its resource (1) and scopes (2), their spans (2). */
function readTraces(request: Uint8Array): ReceivedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const attributes = all(first(resourceSpans, 1), 1);
    const named = attributes.find((attribute) => text(first(attribute, 1)) === 'service.name');
    const service = text(first(first(named, 2), 1));
    return all(resourceSpans, 2)
      .flatMap((scopeSpans) => all(scopeSpans, 2))
      .map((span) => ({
        service,
        name: text(first(span, 5)),
        traceId: hex(first(span, 1)),
        spanId: hex(first(span, 2)),
        parentSpanId: hex(first(span, 4)),
      }));
  });
}
