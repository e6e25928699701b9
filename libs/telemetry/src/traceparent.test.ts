import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { contextFrom, currentTraceparent } from './telemetry.ts';

beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable()));

const SAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const UNSAMPLED = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

describe('a traceparent', () => {
  it.each([SAMPLED, UNSAMPLED])('a traceparent comes out as it went in: %s', (header) => {
    expect(context.with(contextFrom(header), currentTraceparent)).toBe(header);
  });

  it('a traceparent is known to come from elsewhere', () => {
    expect(trace.getSpanContext(contextFrom(SAMPLED))).toEqual({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      traceFlags: 1,
      isRemote: true,
    });
  });

  it('a traceparent is absent outside of any trace', () => {
    expect(currentTraceparent()).toBeUndefined();
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['of another shape', 'hello'],
    ['in capitals', SAMPLED.toUpperCase()],
    ['too long', `${SAMPLED}0`],
    ['of trace zero', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
    ['of span zero', `00-0af7651916cd43dd8448eb211c80319c-${'0'.repeat(16)}-01`],
  ])('a traceparent that is %s starts a new trace', (_, header) => {
    expect(contextFrom(header)).toBe(ROOT_CONTEXT);
  });
});
