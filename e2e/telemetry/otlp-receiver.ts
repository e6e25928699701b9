import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** The fields of a span that are checked here. */
export interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
}

/** One series of a histogram: how many values were at most each bound, and above all of them. */
export interface ReceivedHistogram {
  readonly service: string;
  readonly name: string;
  readonly bounds: readonly number[];
  readonly counts: readonly number[];
}

/** A collector for OTLP over HTTP that records what it receives. */
export interface OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  /** Every histogram of the last export of each service. */
  readonly histograms: ReadonlyMap<string, readonly ReceivedHistogram[]>;
  /** The bodies of all requests. */
  received(): Buffer;
  close(): void;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const histograms = new Map<string, ReceivedHistogram[]>();
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      if (request.url === '/v1/traces') spans.push(...readTraces(body));
      if (request.url === '/v1/metrics')
        for (const { service, found } of readHistograms(body)) histograms.set(service, found);
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    histograms,
    received: () => Buffer.concat(bodies),
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

/** The name in the resource (1) that spans or metrics belong to. */
function serviceOf(ofResource: Uint8Array): string {
  const attributes = all(first(ofResource, 1), 1);
  const named = attributes.find((attribute) => text(first(attribute, 1)) === 'service.name');
  return text(first(first(named, 2), 1));
}

/** Field numbers of opentelemetry.proto.trace.v1: ResourceSpans (1), its scopes (2), their spans (2). */
function readTraces(request: Uint8Array): ReceivedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const service = serviceOf(resourceSpans);
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

/**
 * The field numbers are those of opentelemetry.proto.metrics.v1: a metric's name (1), histogram (9), points (1), their counts (6)
 * and bounds (7).
 */
function readHistograms(request: Uint8Array): { service: string; found: ReceivedHistogram[] }[] {
  return all(request, 1).map((ofResource) => {
    const service = serviceOf(ofResource);
    const metrics = all(ofResource, 2).flatMap((scope) => all(scope, 2));
    const found = metrics.flatMap((metric) =>
      all(first(metric, 9), 1).map((point) => ({
        service,
        name: text(first(metric, 1)),
        counts: packed(first(point, 6), (view, at) => Number(view.getBigUint64(at, true))),
        bounds: packed(first(point, 7), (view, at) => view.getFloat64(at, true)),
      })),
    );
    return { service, found };
  });
}

/** A packed list of values of eight bytes each. */
function packed(bytes: Uint8Array | undefined, read: (view: DataView, at: number) => number): number[] {
  if (!bytes) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / 8 }, (_, index) => read(view, index * 8));
}
