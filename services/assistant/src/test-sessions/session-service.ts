import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { invalid, notFound, refusal, Refused } from '@parley/errors';
import type { RollingLimits } from '@parley/mongo';
import { readPhoneNumber } from '@parley/phone-numbers';
import { SessionService } from '@parley/proto/assistant/v1/sessions_pb';
import { employees, type RpcServer } from '@parley/rpc';
import { newId } from '@parley/secrets';
import type { FactsLoader } from '../facts/session-facts.ts';
import type { TextVectors } from '../facts/text-vectors.ts';
import type { SessionParts } from '../running/session-parts.ts';
import { engineToProto } from '../sessions/session-proto.ts';
import type { SessionUsages } from '../sessions/usage-store.ts';
import { readSession, type SessionReadDeps } from '../sessions/session-rpcs.ts';
import { simulateTurn } from './simulate-turn.ts';
import type { TestSessions } from './test-session-store.ts';

export interface SessionServiceDeps extends SessionReadDeps {
  readonly parts: Pick<SessionParts, 'assistantOf' | 'engine' | 'answerOf'>;
  readonly facts: FactsLoader;
  readonly vectors: TextVectors;
  readonly testSessions: TestSessions;
  readonly limits: RollingLimits;
  readonly usages: SessionUsages;
  readonly clock: Clock;
}

const LIFETIME_MS = 15 * 60_000;
const TURNS: { readonly max: number; readonly windowMs: number } = { max: 60, windowMs: 60_000 };
const ANONYMOUS = 'anonymous';
const TEXT_LENGTH_MAX = 500;
const tooManyTurns = refusal('rate_limited', 'at most 60 turns a minute are answered');
const overtaken = refusal('conflict', 'another turn was taken at the same time');

export function addSessionService(server: RpcServer, deps: SessionServiceDeps): void {
  const { parts, facts, vectors, testSessions, limits, usages, clock } = deps;
  const [member, admin] = [employees.withRole('member'), employees.withRole('admin')];
  const accessRules = { getSession: member, startTestSession: admin, takeTestTurn: admin };

  const answerOf = (companyId: string, assistantId: string) =>
    parts.answerOf({ companyId, assistantId }, (text) => vectors.ofWords(companyId, text));

  async function countTurn(companyId: string): Promise<void> {
    const outcome = await limits.take(companyId, TURNS, newId('turn'));
    if (!outcome.taken) throw new Refused(tooManyTurns);
  }

  server.add(SessionService, accessRules, {
    getSession: (request, { principal }) => readSession(deps, principal.companyId, request),
    async startTestSession({ assistantId, businessNumberId, phone, at }, { principal: { companyId } }) {
      const assistant = await parts.assistantOf(companyId, assistantId);
      if (!assistant) throw new Refused(notFound);
      await countTurn(companyId);
      const { callingRules } = await facts.companyOf(companyId);
      const from = phone === undefined ? ANONYMOUS : readPhoneNumber(phone, callingRules.country)?.number;
      if (from === undefined) throw new Refused(invalid({ phone: ['is not a valid phone number'] }));
      const now = clock.now();
      const aheadMs = at ? timestampDate(at).getTime() - now.getTime() : 0;
      const identity = { companyId, assistantId, businessNumberId, from };
      const loaded = await facts.load(identity).catch((error: unknown) => {
        if (error instanceof Refused && error.refusal.code === notFound.code)
          throw new Refused(invalid({ business_number_id: ['is unknown'] }));
        throw error;
      });
      const id = newId('tes');
      const turn = await simulateTurn(
        answerOf(companyId, assistantId),
        parts.engine.createState(id),
        { ...loaded.facts, now: new Date(now.getTime() + aheadMs) },
        { kind: 'begin' },
        () => undefined,
      );
      const expiresAt = new Date(now.getTime() + LIFETIME_MS);
      await testSessions.create({ id, ...identity, aheadMs, expiresAt, turn: 0, isEnded: false }, turn.state);
      return { id, reply: turn.reply, expiresAt: timestampFromDate(expiresAt) };
    },
    async takeTestTurn({ assistantId, sessionId, text }, { principal: { companyId } }) {
      const words = text.trim();
      if (words === '' || words.length > TEXT_LENGTH_MAX)
        throw new Refused(invalid({ text: [`must have 1 to ${TEXT_LENGTH_MAX} characters`] }));
      const { session, state } = await testSessions.get(companyId, assistantId, sessionId);
      if (session.isEnded) throw new Refused(notFound);
      await countTurn(companyId);
      const begin = performance.now();
      let tokens = 0;
      const loaded = await facts.load(session);
      const turn = await simulateTurn(
        answerOf(companyId, assistantId),
        state,
        { ...loaded.facts, now: new Date(clock.now().getTime() + session.aheadMs) },
        { kind: 'words', text: words },
        ({ input, output }) => void (tokens += input + output),
      );
      const id = `${session.id}/${session.turn}`;
      if (tokens > 0) await usages.count(clock.now(), { id, companyId, seconds: 0, tokens });
      if (!(await testSessions.save(session, turn.state, turn.hasEnded))) throw new Refused(overtaken);
      return {
        reply: turn.reply,
        actions: turn.actions.map(({ name, arguments: given }) => ({
          action: name,
          argumentsJson: JSON.stringify(given),
        })),
        sources: [...turn.sources],
        understood: turn.understood,
        engine: engineToProto(turn.engine),
        durationMs: Math.round(performance.now() - begin),
        ended: turn.hasEnded,
      };
    },
  });
}
