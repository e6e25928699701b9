import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import type { BusinessNumber } from '../api/schema.d.ts';
import { isAdmin } from '../session.ts';
import { DraftSection } from '../ui/draft-section.tsx';
import { SelectField } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { BusinessHoursEditor } from './business-hours-editor.tsx';
import { areTimesComplete, businessHoursBody, businessHoursForm, type DayForm } from './business-hours-form.ts';
import { at, businessNumberQuery, keepBusinessNumber, type RouteProposal } from './business-number-queries.ts';
import { CallFlowEditor } from './call-flow-editor.tsx';
import { type CallFlowBody, callFlowBody, callFlowForm, clearableCallFlowBody, isComplete } from './call-flow-form.ts';
import { GeneralSection } from './general-section.tsx';
import { NO_ANSWER_TIMEOUTS, type NoAnswerForm, noAnswerBody, noAnswerForm } from './no-answer-form.ts';
import { RouteExplanationSection } from './route-explanation.tsx';
import { registrationText } from './registration-text.ts';
import { TextingSection } from './texting-section.tsx';

export function NumberPage({ id }: { id: string }): ReactNode {
  const number = useQuery(businessNumberQuery(id));
  return (
    <QueryState query={number} what="number" titleOfFailure="Number">
      {(data) => <NumberEditor number={data} />}
    </QueryState>
  );
}

function NumberEditor({ number }: { number: BusinessNumber }): ReactNode {
  const { id } = number;
  const incoming = useDraft(`number ${id} incoming calls`, callFlowForm(number.incoming_call_config));
  const outside = useDraft(`number ${id} outside business hours`, callFlowForm(number.outside_business_hours_config));
  const noAnswer = useDraft<NoAnswerForm>(`number ${id} no answer`, noAnswerForm(number));
  const hours = useDraft(`number ${id} business hours`, businessHoursForm(number.business_hours));
  const incomingBody = callFlowBody(incoming.value);
  const { timeout_secs: timeoutSecs } = noAnswerBody(noAnswer.value);
  const proposal: RouteProposal = {
    ...(incoming.isChanged && incomingBody && { incoming_call_config: incomingBody }),
    ...(outside.isChanged && { outside_business_hours_config: callFlowBody(outside.value) }),
    ...(noAnswer.isChanged && {
      no_answer_config: callFlowBody(noAnswer.value.flow),
      no_answer_timeout_secs: timeoutSecs,
    }),
    ...(hours.isChanged && { business_hours: businessHoursBody(hours.value) }),
  };
  const proposalIsComplete =
    [incoming.value, outside.value, noAnswer.value.flow].every(isComplete) && areTimesComplete(hours.value);
  const registration = registrationText(number);
  return (
    <Page title={number.name}>
      <p>
        {number.number_formatted}
        {registration && <span className="soft"> · {registration}</span>}
      </p>
      <div className="number-page">
        {isAdmin && (
          <div>
            <DraftSection
              title="Incoming calls"
              draft={incoming}
              save={(form) =>
                ok(
                  api.PUT('/api/v1/business_numbers/{id}/incoming_call_config', {
                    ...at(id),
                    body: callFlowBody(form) as CallFlowBody,
                  }),
                )
              }
              onSaved={keepBusinessNumber}
            >
              {(errorsOf) => (
                <CallFlowEditor numberId={id} form={incoming.value} onChange={incoming.set} errorsOf={errorsOf} />
              )}
            </DraftSection>
            <DraftSection
              title="Outside business hours"
              draft={outside}
              save={(form) =>
                ok(
                  api.PUT('/api/v1/business_numbers/{id}/outside_business_hours_config', {
                    ...at(id),
                    body: clearableCallFlowBody(form),
                  }),
                )
              }
              onSaved={keepBusinessNumber}
            >
              {(errorsOf) => (
                <CallFlowEditor
                  numberId={id}
                  form={outside.value}
                  onChange={outside.set}
                  errorsOf={errorsOf}
                  notSet="As during business hours"
                />
              )}
            </DraftSection>
            <DraftSection
              title="No answer"
              draft={noAnswer}
              save={(form) =>
                ok(api.PUT('/api/v1/business_numbers/{id}/no_answer_config', { ...at(id), body: noAnswerBody(form) }))
              }
              onSaved={keepBusinessNumber}
            >
              {(errorsOf) => (
                <>
                  <SelectField
                    label="Waiting time"
                    value={noAnswer.value.timeoutSecs ?? ''}
                    errors={errorsOf('timeout_secs')}
                    onChange={({ target }) =>
                      noAnswer.set({
                        ...noAnswer.value,
                        timeoutSecs: target.value === '' ? null : Number(target.value),
                      })
                    }
                  >
                    <option value="">Off: callers wait until somebody answers</option>
                    {NO_ANSWER_TIMEOUTS.map(([secs, text]) => (
                      <option key={secs} value={secs}>
                        {text}
                      </option>
                    ))}
                  </SelectField>
                  <CallFlowEditor
                    numberId={id}
                    form={noAnswer.value.flow}
                    onChange={(flow) => noAnswer.set({ ...noAnswer.value, flow })}
                    errorsOf={errorsOf}
                    notSet="Nothing: callers wait until somebody answers"
                  />
                </>
              )}
            </DraftSection>
            <DraftSection
              title="Business hours"
              draft={hours}
              save={(days) => saveBusinessHours(id, days)}
              onSaved={keepBusinessNumber}
            >
              {(errorsOf) => (
                <BusinessHoursEditor
                  days={hours.value}
                  timezone={number.timezone}
                  onChange={hours.set}
                  errorsOf={errorsOf}
                />
              )}
            </DraftSection>
            <TextingSection number={number} />
            <GeneralSection number={number} />
          </div>
        )}
        <aside aria-label="Explanation">
          <RouteExplanationSection
            numberId={id}
            timezone={number.timezone}
            proposal={proposalIsComplete ? proposal : undefined}
          />
        </aside>
      </div>
    </Page>
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
