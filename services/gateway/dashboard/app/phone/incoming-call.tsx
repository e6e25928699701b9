import { type ReactNode, useId } from 'react';
import { createPortal } from 'react-dom';
import { useFrontDialog } from '../ui/open-dialogs.ts';
import { useCall, useCallerContext } from './phone-queries.ts';
import type { PhoneCall } from './phone-state.ts';
import { softphone } from './softphone.ts';

/** A call that rings here. It does not take the focus: a key typed into a form must not answer it. */
export function IncomingCall({ call }: { call: PhoneCall }): ReactNode {
  const frontDialog = useFrontDialog();
  const content = <IncomingCallContent call={call} />;
  // Outside of a modal dialog it could not be answered.
  return frontDialog ? createPortal(content, frontDialog) : content;
}

function IncomingCallContent({ call }: { call: PhoneCall }): ReactNode {
  const id = useId();
  const { data: details } = useCall(call.callId);
  const { data: context } = useCallerContext(call.number);
  const name = context?.contact?.name ?? context?.contexts.find(({ contact }) => contact?.name)?.contact?.name;
  return (
    <div role="alertdialog" aria-labelledby={`${id}-title`} aria-describedby={`${id}-who`} className="incoming-call">
      <h2 id={`${id}-title`}>Incoming call</h2>
      <div id={`${id}-who`} aria-live="assertive">
        <p className="caller">
          {name && <strong>{name}</strong>} <span>{call.number === 'anonymous' ? 'Unknown number' : call.number}</span>
        </p>
        {details && (
          <p className="soft">
            to {details.main_number_name} ({details.main_number_formatted})
          </p>
        )}
        {context && <ContextSummary context={context} />}
      </div>
      <div className="actions">
        <button type="button" className="answer" onClick={() => softphone.answer()}>
          Answer
        </button>
        <button type="button" className="danger" onClick={() => softphone.decline()}>
          Decline
        </button>
      </div>
    </div>
  );
}

type Context = NonNullable<ReturnType<typeof useCallerContext>['data']>;

/** What is worth knowing before one answers. */
function ContextSummary({ context }: { context: Context }): ReactNode {
  const company = context.contact?.company_name;
  const note = context.contact?.note;
  return (
    <>
      {(company || note) && (
        <p>
          {company}
          {company && note && ' · '}
          {note}
        </p>
      )}
      <ul className="list">
        {context.contexts.map(({ provider, label, source, contact }) => (
          <li key={`${provider} ${source}`}>
            {label}: {[contact?.name, contact?.company_name, contact?.note].filter(Boolean).join(' · ') || source}
          </li>
        ))}
      </ul>
    </>
  );
}
