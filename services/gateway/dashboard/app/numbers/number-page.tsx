import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { api, at, ok } from '../api/client.ts';
import type { BusinessNumber } from '../api/schema.d.ts';
import { t, tn } from '../i18n/translate.ts';
import { instantIn, wallClockIn } from '../i18n/zoned-time.ts';
import { isAdmin } from '../session.ts';
import { Badge, Dot } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { scrollerOf } from '../ui/scroller-of.ts';
import text from '../ui/text.module.css';
import { useDebounced } from '../ui/use-debounced.ts';
import { useDraft } from '../ui/use-draft.ts';
import { BusinessHoursEditor } from './business-hours-editor.tsx';
import { areTimesComplete, businessHoursBody, businessHoursForm, type DayForm } from './business-hours-form.ts';
import {
  businessNumberQuery,
  cacheBusinessNumber,
  type RouteProposal,
  routeExplanationQuery,
} from './business-number-queries.ts';
import { CallFlowEditor } from './call-flow-editor.tsx';
import { type CallFlowBody, callFlowBody, callFlowForm, clearableCallFlowBody, isComplete } from './call-flow-form.ts';
import { ClosuresSection } from './closures-section.tsx';
import { useGeneralPart } from './general-section.tsx';
import {
  NO_ANSWER_TIMEOUTS,
  type NoAnswerForm,
  noAnswerBody,
  noAnswerForm,
  type TimeoutSecs,
  timeoutText,
} from './no-answer-form.ts';
import styles from './number-page.module.css';
import { PartForm } from './part-form.tsx';
import { registrationText } from './registration-text.ts';
import { RouteExplanationTexts } from './route-explanation.tsx';
import type { RoutePart } from './route-layout.ts';
import { RoutePicture } from './route-picture.tsx';
import { TextingSection, useTextingPart } from './texting-section.tsx';
import { type Part, usePart } from './use-part.ts';
import { WhenField } from './when-field.tsx';

export default function NumberPage({ id }: { id: string }): ReactNode {
  const number = useQuery(businessNumberQuery(id));
  return (
    <QueryState query={number} titleOfFailure={t('Number')}>
      {(data) => <NumberEditor number={data} />}
    </QueryState>
  );
}

function NumberEditor({ number }: { number: BusinessNumber }): ReactNode {
  const { id, timezone } = number;
  const incoming = useDraft(`number ${id} incoming calls`, callFlowForm(number.incoming_call_config));
  const outside = useDraft(`number ${id} outside business hours`, callFlowForm(number.outside_business_hours_config));
  const noAnswer = useDraft<NoAnswerForm>(`number ${id} no answer`, noAnswerForm(number));
  const hours = useDraft(`number ${id} business hours`, businessHoursForm(number.business_hours));
  const onSaved = cacheBusinessNumber;
  const parts = {
    incoming: usePart({
      title: t('Incoming calls'),
      draft: incoming,
      save: (form) =>
        ok(
          api.PUT('/api/v1/business_numbers/{id}/incoming_call_config', {
            ...at(id),
            body: callFlowBody(form) as CallFlowBody,
          }),
        ),
      onSaved,
    }),
    outside: usePart({
      title: t('Outside business hours'),
      draft: outside,
      save: (form) =>
        ok(
          api.PUT('/api/v1/business_numbers/{id}/outside_business_hours_config', {
            ...at(id),
            body: clearableCallFlowBody(form),
          }),
        ),
      onSaved,
    }),
    noAnswer: usePart({
      title: t('No answer'),
      draft: noAnswer,
      save: (form) =>
        ok(api.PUT('/api/v1/business_numbers/{id}/no_answer_config', { ...at(id), body: noAnswerBody(form) })),
      onSaved,
    }),
    hours: usePart({
      title: t('Business hours'),
      draft: hours,
      save: (days) => saveBusinessHours(id, days),
      onSaved,
    }),
  };
  const general = useGeneralPart(number);
  const texting = useTextingPart(number);
  const incomingBody = callFlowBody(incoming.value);
  const timeoutSecs = noAnswer.value.timeoutSecs as TimeoutSecs;
  const proposal: RouteProposal = {
    ...(incoming.isChanged && incomingBody && { incoming_call_config: incomingBody }),
    ...(outside.isChanged && { outside_business_hours_config: callFlowBody(outside.value) }),
    ...(noAnswer.isChanged && {
      no_answer_config: callFlowBody(noAnswer.value.flow),
      no_answer_timeout_secs: timeoutSecs,
    }),
    ...(hours.isChanged && { business_hours: businessHoursBody(hours.value) }),
  };
  const isProposalComplete =
    [incoming.value, outside.value, noAnswer.value.flow].every(isComplete) && areTimesComplete(hours.value);
  const [time, setTime] = useState(() => wallClockIn(timezone, new Date()));
  const instant = instantIn(timezone, time);
  const explanation = useExplanation(id, isProposalComplete ? proposal : {}, instant);
  const isOpen = instant ? explanation.data?.within_business_hours : undefined;
  const [chosen, setChosen] = useState<RoutePart>();
  const page = useRef<HTMLDivElement>(null);

  function choose(part: RoutePart, digit?: string): void {
    setChosen(part);
    const section = page.current?.closest('main')?.querySelector(`[data-part="${parts[part].title}"]`);
    const option = digit === undefined ? null : section?.querySelector(`[data-mark="${digit}"]`);
    const target = option ?? section;
    if (!target) return;
    const pane = scrollerOf(target);
    // Only its own pane: the bar of the page stays in sight.
    pane?.scrollBy({ top: target.getBoundingClientRect().top - pane.getBoundingClientRect().top - 8 });
    target.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true });
  }
  const forms = (
    <>
      <PartForm part={parts.incoming} isChosen={chosen === 'incoming'}>
        <CallFlowEditor
          numberId={id}
          form={incoming.value}
          onChange={incoming.set}
          errorsOf={parts.incoming.errorsOf}
        />
      </PartForm>
      <PartForm part={parts.outside} isChosen={chosen === 'outside'}>
        <CallFlowEditor
          numberId={id}
          form={outside.value}
          onChange={outside.set}
          errorsOf={parts.outside.errorsOf}
          notSet={t('As during business hours')}
        />
      </PartForm>
      <PartForm part={parts.noAnswer} isChosen={chosen === 'noAnswer'}>
        <SelectField
          label={t('Waiting time')}
          value={noAnswer.value.timeoutSecs ?? ''}
          errors={parts.noAnswer.errorsOf('timeout_secs')}
          onChange={({ target }) =>
            noAnswer.set({ ...noAnswer.value, timeoutSecs: target.value === '' ? null : Number(target.value) })
          }
        >
          <option value="">{t('Off: callers wait until somebody answers')}</option>
          {NO_ANSWER_TIMEOUTS.map((secs) => (
            <option key={secs} value={secs}>
              {timeoutText(secs)}
            </option>
          ))}
        </SelectField>
        <CallFlowEditor
          numberId={id}
          form={noAnswer.value.flow}
          onChange={(flow) => noAnswer.set({ ...noAnswer.value, flow })}
          errorsOf={parts.noAnswer.errorsOf}
          notSet={t('Nothing: callers wait until somebody answers')}
        />
      </PartForm>
      {general.form}
    </>
  );
  return (
    <Page
      title={number.name}
      back={{ href: '~/dashboard/numbers', label: t('Numbers') }}
      actions={
        isAdmin && <SaveAll parts={[...Object.values(parts), ...(texting ? [texting.part] : []), general.part]} />
      }
      toolbar={<NumberFacts number={number} />}
      aside={isAdmin && forms}
    >
      <div ref={page}>
        <section className={styles['route']} aria-label={t('Route explanation')}>
          <WhenField
            value={time}
            timezone={timezone}
            onChange={setTime}
            isProposed={Object.keys(proposal).length > 0}
          />
          <RoutePicture
            incoming={incoming.value}
            outside={outside.value}
            noAnswer={noAnswer.value}
            isOpen={isOpen}
            chosen={chosen}
            onChoose={choose}
          />
          {!isProposalComplete ? (
            <p className={text['meta']}>{t('Complete your changes to see what they do.')}</p>
          ) : instant ? (
            <RouteExplanationTexts explanation={explanation} />
          ) : (
            <p className={text['meta']}>{t('Choose a date and a time.')}</p>
          )}
        </section>
        {isAdmin && (
          <div className={styles['settings']}>
            <PartForm part={parts.hours} isChosen={chosen === 'hours'}>
              <BusinessHoursEditor
                days={hours.value}
                timezone={timezone}
                marked={time}
                onChange={hours.set}
                errorsOf={parts.hours.errorsOf}
              />
            </PartForm>
            <ClosuresSection number={number} />
            <TextingSection number={number} texting={texting} />
          </div>
        )}
      </div>
    </Page>
  );
}

/** The explanation at a time; read again when one pauses. */
function useExplanation(id: string, proposal: RouteProposal, instant: Date | undefined) {
  // Compared as text, because the object is new with every rendering.
  const asked = JSON.stringify(instant ? { ...proposal, at: instant.toISOString() } : {});
  const settled = JSON.parse(useDebounced(asked)) as RouteProposal;
  return useQuery(routeExplanationQuery(id, settled));
}

function NumberFacts({ number }: { number: BusinessNumber }): ReactNode {
  const registration = registrationText(number);
  const [now] = useState(() => new Date());
  const explanation = useQuery({ ...routeExplanationQuery(number.id, { at: now.toISOString() }), staleTime: 60_000 });
  const { within_business_hours: isOpen, changes_at: changesAt } = explanation.data ?? {};
  const changes = changesAt ? wallClockIn(number.timezone, new Date(changesAt)).slice(11) : undefined;
  return (
    <>
      <span className={styles['number']}>
        <PhoneNumber value={number.number} />
      </span>
      {isOpen !== undefined && (
        <Badge tone={isOpen ? 'good' : 'neutral'}>
          <Dot tone={isOpen ? 'good' : 'neutral'} />
          {openText(isOpen, changes)}
        </Badge>
      )}
      {registration && <span className={text['meta']}>{registration}</span>}
    </>
  );
}

function openText(isOpen: boolean, changes: string | undefined): string {
  if (changes === undefined) return isOpen ? t('Open now') : t('Closed now');
  return isOpen ? t('Open, closes {time}', { time: changes }) : t('Closed, opens {time}', { time: changes });
}

/** One button for all that was changed, and what that is. */
function SaveAll({ parts }: { parts: readonly Part[] }): ReactNode {
  const changed = parts.filter(({ isChanged }) => isChanged);
  const isPending = parts.some(({ pending }) => pending);
  async function save(): Promise<void> {
    // One after the other: the hours are saved together with the routing outside them as it is then.
    for (const part of changed) if (!(await part.save())) return;
  }
  if (changed.length === 0 && !isPending) return null;
  return (
    <>
      <span className={styles['changes']} title={changed.map(({ title }) => title).join(', ')}>
        {tn(changed.length, '1 change', '{count} changes')}: {changed.map(({ title }) => title).join(', ')}
      </span>
      <Button variant="ghost" onPress={() => changed.forEach((part) => part.discard())}>
        {t('Discard')}
      </Button>
      <Button variant="primary" busy={isPending} onPress={() => void save()}>
        {t('Save')}
      </Button>
    </>
  );
}

/** The API takes the schedule together with the routing outside it, which is sent as it is saved now. */
async function saveBusinessHours(id: string, days: readonly DayForm[]): Promise<BusinessNumber> {
  const current = await ok(api.GET('/api/v1/business_numbers/{id}', at(id)));
  const config = clearableCallFlowBody(callFlowForm(current.outside_business_hours_config));
  return ok(
    api.PUT('/api/v1/business_numbers/{id}/outside_business_hours_config', {
      ...at(id),
      body: { ...config, business_hours: businessHoursBody(days) },
    }),
  );
}
