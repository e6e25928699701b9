import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { api, at, ok } from '../api/client.ts';
import type { paths } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { answered, begun, NO_TRIAL, type Trial } from './trial.ts';

export interface Trying {
  readonly trial: Trial;
  /** What was said and is not answered yet. */
  readonly said: string | undefined;
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Resolves with true when it was answered. */
  readonly say: (text: string) => Promise<boolean>;
  readonly startAgain: () => void;
}

/** The number that is called, by whom, and when. */
export type TrialCall =
  paths['/api/v1/assistants/{id}/test_sessions']['post']['requestBody']['content']['application/json'];

/** A conversation with an assistant, as a caller of a number, which begins at once. */
export function useTrial(assistantId: string, call: TrialCall): Trying {
  const [trial, setTrial] = useState(NO_TRIAL);
  const [rounds, setRounds] = useState(0);
  // The answer to a conversation that was started again must not show up in the next one.
  const round = useRef(0);
  const begin = useMutation({
    mutationFn: () =>
      ok(
        api.POST('/api/v1/assistants/{id}/test_sessions', {
          ...at(assistantId),
          body: call,
        }),
      ),
  });
  const turn = useMutation({
    mutationFn: ({ sessionId, text }: { sessionId: string; text: string }) =>
      ok(
        api.POST('/api/v1/assistants/{id}/test_sessions/{session_id}/turns', {
          params: { path: { id: assistantId, session_id: sessionId } },
          body: { text },
        }),
      ),
  });
  const open = useEffectEvent(async (): Promise<void> => {
    const own = ++round.current;
    const session = await begin.mutateAsync().catch(() => undefined);
    if (session && own === round.current) setTrial(begun(session));
  });
  useEffect(() => {
    void open();
  }, [rounds]);
  return {
    trial,
    said: turn.isPending ? turn.variables.text : undefined,
    isBusy: begin.isPending || turn.isPending,
    error: begin.error ?? problemOf(turn.error),
    async say(text) {
      const { sessionId } = trial;
      if (sessionId === undefined) return false;
      const own = round.current;
      const reply = await turn.mutateAsync({ sessionId, text }).catch(() => undefined);
      if (!reply || own !== round.current) return false;
      setTrial((now) => answered(now, text, reply));
      return true;
    },
    startAgain() {
      turn.reset();
      setTrial(NO_TRIAL);
      setRounds((count) => count + 1);
    },
  };
}

function problemOf(error: Error | null): Error | null {
  if (!(error instanceof ApiError) || !error.isNotFound) return error;
  return new Error(t('This conversation has ended after 15 minutes. Start again.'));
}
