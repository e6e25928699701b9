import { expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { ListCallsRequestSchema } from '@parley/proto/call_control/v1/calls_service_pb';
import { listCalls, type ListCallsDeps } from './list-calls.ts';

const ranked = Array.from({ length: 300 }, (_, rank) => `cal_${rank}`);
/** The least relevant, and more than a page. */
const tagged = ranked.slice(-60);

const list = listCalls({
  calls: {
    listIds: async (_companyId: string, { tagKeys }: { tagKeys?: string[] }) => (tagKeys?.[0] === 'vip' ? tagged : []),
    byIds: async (_companyId: string, ids: readonly string[]) => ids.map((id) => ({ id })),
  },
  search: {
    find: async (_companyId: string, _query: string, filter: { among?: readonly string[] }, limit: number) => ({
      ids: ranked.filter((id) => filter.among?.includes(id) ?? true).slice(0, limit),
      model: null,
    }),
  },
  notes: { soughtTagKeys: (_companyId: string, tag: string) => [tag] },
  views: { show: async (_principal: unknown, calls: unknown) => calls },
} as unknown as ListCallsDeps);

async function page(tag: string | undefined, cursor?: string): Promise<{ ids: string[]; next: string | undefined }> {
  const request = create(ListCallsRequestSchema, {
    query: 'bicycle',
    limit: 50,
    ...(tag !== undefined && { tag }),
    ...(cursor !== undefined && { cursor }),
  });
  const context = { principal: { companyId: 'com_1' } } as unknown as Parameters<typeof list>[1];
  const { calls = [], nextCursor } = await list(request, context);
  return { ids: calls.map(({ id = '' }) => id), next: nextCursor };
}

it('a search for calls with a tag fills its pages with them, however relevant others are', async () => {
  const first = await page('vip');
  expect(first.ids).toEqual(tagged.slice(0, 50));
  expect(await page('vip', first.next)).toEqual({ ids: tagged.slice(50), next: undefined });
});

it('a search for calls with a tag that none has finds nothing, without a further page', async () => {
  expect(await page('other')).toEqual({ ids: [], next: undefined });
});

it('a search without a tag finds the most relevant of all', async () => {
  expect((await page(undefined)).ids).toEqual(ranked.slice(0, 50));
});
