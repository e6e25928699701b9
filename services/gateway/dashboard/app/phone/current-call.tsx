import { type ReactNode, useEffect, useState } from 'react';
import { duration } from '../ui/duration.ts';
import { MicrophoneChoice } from './microphone-choice.tsx';
import { useActiveCall, useCallerContext, useEndedCall } from './phone-queries.ts';
import type { PhoneCall } from './phone-state.ts';
import { softphone } from './softphone.ts';
import { TransferControls } from './transfer-controls.tsx';

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

export function CurrentCall({ call }: { call: PhoneCall }): ReactNode {
  const [showsKeypad, setShowsKeypad] = useState(false);
  const { data: active } = useActiveCall(true);
  const { data: context } = useCallerContext(call.number);
  const isActive = call.state === 'active';
  const activeId = active?.call.id;
  useEffect(() => {
    if (activeId) softphone.identify(activeId);
  }, [activeId]);
  const endedId = useEndedCall(isActive ? call.callId : null);
  useEffect(() => {
    if (endedId) softphone.isOver(endedId);
  }, [endedId]);
  return (
    <section aria-label="Current call" className="current-call">
      <p className="caller">
        <strong>{context?.contact?.name ?? call.number}</strong>{' '}
        {call.activeSince === null ? <span>Calling…</span> : <Elapsed since={call.activeSince} />}
      </p>
      <div className="actions">
        <button
          type="button"
          className="quiet"
          aria-pressed={call.isMuted}
          disabled={!isActive}
          onClick={() => softphone.setMuted(!call.isMuted)}
        >
          Mute
        </button>
        <button
          type="button"
          className="quiet"
          aria-expanded={showsKeypad}
          disabled={!isActive}
          onClick={() => setShowsKeypad(!showsKeypad)}
        >
          Keypad
        </button>
        {isActive && active && <TransferControls active={active} />}
        <button type="button" className="danger" onClick={() => softphone.hangUp()}>
          Hang up
        </button>
      </div>
      {showsKeypad && <Keypad />}
      <MicrophoneChoice />
    </section>
  );
}

function Elapsed({ since }: { since: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  return (
    <span role="timer" aria-label="Time">
      {duration((now - since) / 1000)}
    </span>
  );
}

function Keypad(): ReactNode {
  return (
    <div role="group" aria-label="Keys" className="keypad">
      {KEYS.map((key) => (
        <button key={key} type="button" className="quiet" onClick={() => softphone.pressKey(key)}>
          {key}
        </button>
      ))}
    </div>
  );
}
