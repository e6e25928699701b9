import { type Documents, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { EmployeeSoftphoneSessions } from './softphone-session.ts';

export type SoftphoneSessions = Documents<EmployeeSoftphoneSessions>;

export function openSoftphoneSessions(db: Db): Promise<SoftphoneSessions> {
  return openDocuments<EmployeeSoftphoneSessions>({ db, collection: 'softphone_sessions' });
}

/** Binds an encrypted H(A1) to its session. */
export function a1Context(sessionId: string): string {
  return `softphone-session/${sessionId}/a1`;
}
