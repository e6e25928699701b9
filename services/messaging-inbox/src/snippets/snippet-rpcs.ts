import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { decided, invalid, notFound, Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { TextSnippetService } from '@parley/proto/messaging_inbox/v1/snippets_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { ServiceContext } from '../service-context.ts';
import { createSnippet, problemsOf, type Snippet, updateSnippet } from './snippet.ts';
import { BY_POSITION, type Snippets } from './snippet-store.ts';

/** Every RPC of the contract. */
export function addTextSnippetService(
  server: RpcServer,
  { snippets, directory, clock, tick }: ServiceContext & { readonly snippets: Snippets },
): void {
  server.add(TextSnippetService, employees.withRole('member'), {
    async *listTextSnippets(_request, { principal: { companyId } }) {
      await directory.requireTexting(companyId);
      for await (const chunk of snippets.of(companyId).findInChunks({}, BY_POSITION))
        yield { snippets: chunk.map(snippetToProto) };
    },
    async createTextSnippet({ title, text, position = 0 }, { principal: { companyId } }) {
      await directory.requireTexting(companyId);
      const fields = { title, text, position };
      const problems = problemsOf(fields);
      if (problems) throw new Refused(invalid(problems));
      const identity = { id: newId('snp'), companyId, createdOrder: tick() };
      const snippet = await snippets.create(companyId, (slot) =>
        createSnippet({ ...identity, slot }, fields, clock.now()),
      );
      return { snippet: snippetToProto(snippet) };
    },
    async getTextSnippet({ id }, { principal: { companyId } }) {
      await directory.requireTexting(companyId);
      const snippet = await snippets.of(companyId).get(id);
      if (!snippet) throw new Refused(notFound);
      return { snippet: snippetToProto(snippet) };
    },
    async updateTextSnippet({ id, title, text, position }, { principal: { companyId } }) {
      await directory.requireTexting(companyId);
      const change = {
        ...(title !== undefined && { title }),
        ...(text !== undefined && { text }),
        ...(position !== undefined && { position }),
      };
      const snippet = await snippets.of(companyId).change(id, (current) => updateSnippet(current, change, clock.now()));
      return { snippet: snippetToProto(snippet) };
    },
    async deleteTextSnippet({ id }, { principal: { companyId } }) {
      await directory.requireTexting(companyId);
      await snippets.of(companyId).change(id, () => decided(null));
      return {};
    },
  });
}

function snippetToProto({ id, title, text, position, createdAt, updatedAt }: Snippet) {
  return {
    id,
    title,
    text,
    position,
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
}
