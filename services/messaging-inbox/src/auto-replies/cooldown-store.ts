import { type Documents, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { AutoReplyCooldown } from './auto-reply.ts';

export function openCooldowns(db: Db): Promise<Documents<AutoReplyCooldown>> {
  return openDocuments<AutoReplyCooldown>({ db, collection: 'auto_reply_cooldowns' });
}
