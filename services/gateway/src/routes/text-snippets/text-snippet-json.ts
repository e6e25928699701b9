import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { TextSnippet } from '@parley/proto/messaging_inbox/v1/snippets_pb';
import { z } from 'zod';
import { cleanLine, cleanText } from '../shared/bounded-text.ts';

const INT32_MAX = 2 ** 31 - 1;

/** A snippet as partners see it. */
export const textSnippetSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    position: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'TextSnippet' });

export const textSnippetFields = {
  title: z.string().overwrite(cleanLine).describe('1 to 128 characters, not blank'),
  text: z.string().overwrite(cleanText).describe('1 to 10,000 characters, not blank'),
  // The service refuses negative ones, together with all else that may be wrong.
  position: z.int().min(-INT32_MAX).max(INT32_MAX).meta({ minimum: 0 }),
};

export function textSnippetJson(snippet: TextSnippet | undefined): z.output<typeof textSnippetSchema> {
  if (!snippet?.createdAt || !snippet.updatedAt) throw new Error('a response without its snippet');
  const { id, title, text, position, createdAt, updatedAt } = snippet;
  return {
    id,
    title,
    text,
    position,
    created_at: timestampDate(createdAt).toISOString(),
    updated_at: timestampDate(updatedAt).toISOString(),
  };
}
