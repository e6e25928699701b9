import { type Cell, percentile, sizeOf } from '../cells/cell.ts';

export type Direction = 'inbound' | 'outbound';

/** The figures of a report of calls. */
export interface CallFigures {
  readonly total: number;
  readonly inbound: number;
  readonly outbound: number;
  readonly answered: number;
  readonly missed: number;
  readonly voicemails: number;
  readonly abandoned: number;
  readonly waitSecsAvg: number;
  readonly waitSecsP90: number;
  readonly talkSecsTotal: number;
  readonly talkSecsAvg: number;
  readonly answeredWithin20s: number;
  readonly assisted: number;
  readonly assistantResolved: number;
}

const QUICK_SECS = 20;

/** Without a direction, the figures of both. */
export function callFigures({ counts, spreads }: Cell, direction?: Direction): CallFigures {
  const inboundOnly = (name: string) => (direction === 'outbound' ? 0 : (counts[name] ?? 0));
  const outboundOnly = (name: string) => (direction === 'inbound' ? 0 : (counts[name] ?? 0));
  const waits = direction === 'outbound' ? {} : (spreads['wait'] ?? {});
  const quick = Object.entries(waits).filter(([secs]) => Number(secs) <= QUICK_SECS);
  const waited = sizeOf(waits);
  const [inbound, outbound] = [inboundOnly('inbound'), outboundOnly('outbound')];
  const answered = inboundOnly('answeredInbound') + outboundOnly('answeredOutbound');
  const talkSecsTotal = inboundOnly('talkInbound') + outboundOnly('talkOutbound');
  return {
    total: inbound + outbound,
    inbound,
    outbound,
    answered,
    missed: inboundOnly('missed'),
    voicemails: inboundOnly('voicemails'),
    abandoned: inboundOnly('abandoned'),
    waitSecsAvg: average(waited.sum, waited.count),
    waitSecsP90: percentile(waits, 90),
    talkSecsTotal,
    talkSecsAvg: average(talkSecsTotal, answered),
    answeredWithin20s: sizeOf(Object.fromEntries(quick)).count,
    assisted: inboundOnly('assisted'),
    assistantResolved: inboundOnly('assistantResolved'),
  };
}

/** To milliseconds; 0 of nothing. */
function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((1000 * sum) / count) / 1000;
}
