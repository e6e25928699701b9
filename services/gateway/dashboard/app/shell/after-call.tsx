import { type ReactNode, useEffect, useState } from 'react';
import { CallNote } from '../calls/call-note.tsx';
import { useCall, usePerson } from '../calls/call-queries.ts';
import { CallSummary } from '../calls/call-summary.tsx';
import { remoteNumber } from '../calls/call-text.ts';
import { t } from '../i18n/translate.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { duration } from '../ui/duration.ts';
import { IconButton, IconLink } from '../ui/icon-button.tsx';
import { ArrowUpRight, NotebookPen, X } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import styles from './after-call.module.css';

/** Nobody has to close it. */
const SHOWN_MS = 60_000;

/** The call that has just ended here: small, so that it covers nothing, until one wants to write about it. */
export default function AfterCall({ callId, onClose }: { callId: string; onClose: () => void }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const { data: call } = useCall(callId);
  const contact = usePerson(call);
  useEffect(() => {
    if (isOpen) return;
    const timer = window.setTimeout(onClose, SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [isOpen, onClose]);
  if (!call) return null;
  const number = remoteNumber(call) ?? '';
  const name = contact?.name?.trim() || contact?.company_name?.trim() || undefined;
  return (
    <section className={styles['card']} aria-label={t('Call ended')} data-after-call>
      <div className={styles['head']}>
        <Avatar id={contact?.id ?? number} name={name} />
        <p className={styles['who']}>
          <strong>{name ? <bdi>{name}</bdi> : <PhoneNumber value={number} />}</strong>
          <span>
            {t('Call ended')}
            {call.duration !== null && ` · ${duration(call.duration)}`}
          </span>
        </p>
        <IconLink href={`/calls/${encodeURIComponent(callId)}`} label={t('Open the call')} icon={ArrowUpRight} />
        <IconButton label={t('Close')} icon={X} onPress={onClose} />
      </div>
      {isOpen ? (
        <div className={styles['parts']}>
          <CallSummary call={call} />
          <CallNote call={call} />
        </div>
      ) : (
        <Button size="s" icon={NotebookPen} onPress={() => setIsOpen(true)}>
          {t('Add a note')}
        </Button>
      )}
    </section>
  );
}
