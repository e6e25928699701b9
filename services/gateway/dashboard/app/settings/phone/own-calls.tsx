import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../../api/client.ts';
import type { Employee } from '../../api/schema.d.ts';
import { t } from '../../i18n/translate.ts';
import { useEmployees } from '../../live/use-employees.ts';
import { session } from '../../session.ts';
import { announce } from '../../ui/announcements.tsx';
import { TextField } from '../../ui/field.tsx';
import { Fields, Form, textIn } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useSubmit } from '../../ui/use-submit.ts';

const change = (body: { call_waiting?: boolean; forward_to?: string | null }) =>
  ok(api.PATCH('/api/v1/employees/{id}', { params: { path: { id: session.employeeId } }, body }));

/** Settings of the employee's calls, for every browser and phone. */
export function OwnCalls(): ReactNode {
  const employees = useEmployees();
  return (
    <QueryState query={employees}>
      {(all) => {
        const own = all.find(({ id }) => id === session.employeeId);
        return (
          own && (
            <>
              <CallWaiting own={own} onChanged={employees.refetch} />
              <Section
                title={t('When none of your phones is on')}
                description={t('Calls for you ring at this number too, after which you press 1 to take them.')}
              >
                <ForwardForm own={own} onChanged={employees.refetch} />
              </Section>
            </>
          )
        );
      }}
    </QueryState>
  );
}

function CallWaiting({ own, onChanged }: { own: Employee; onChanged: () => Promise<unknown> }): ReactNode {
  const toggle = useMutation({
    mutationFn: (isOn: boolean) => change({ call_waiting: isOn }),
    onError: (error) => announce(error.message),
    onSettled: onChanged,
  });
  return (
    <Section title={t('During a conversation')} description={t('Answering a second call puts the first one on hold.')}>
      <Switch
        label={t('Offer a second call')}
        checked={toggle.isPending ? toggle.variables : own.call_waiting}
        onChange={(isOn) => toggle.mutate(isOn)}
      />
    </Section>
  );
}

function ForwardForm({ own, onChanged }: { own: Employee; onChanged: () => Promise<unknown> }): ReactNode {
  const sending = useSubmit(
    (number: string) => change({ forward_to: number === '' ? null : number }),
    () => {
      void onChanged();
      announce(t('Saved.'));
    },
  );
  return (
    <Form
      sending={sending}
      onSubmit={(typed) => sending.submit(textIn(typed, 'forward_to'))}
      submitLabel={t('Save')}
      button={{ variant: 'secondary' }}
    >
      <Fields>
        <TextField
          label={t('Number that rings as well')}
          name="forward_to"
          type="tel"
          maxLength={40}
          hint={t('Empty: no other number rings.')}
          defaultValue={own.forward_to ?? ''}
          errors={sending.errorsOf('forward_to')}
        />
      </Fields>
    </Form>
  );
}
