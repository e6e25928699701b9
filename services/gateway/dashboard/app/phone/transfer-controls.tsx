import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { TextField } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';
import type { ActiveCall } from './phone-queries.ts';
import styles from './transfer-controls.module.css';

const refresh = () => queryClient.invalidateQueries({ queryKey: queryKeys.activeCall });

/** The choice that stands for a phone outside the company. */
const OUTSIDE = 'outside';

/** Chooses whom the call goes to. Nobody rings until one of the buttons is pressed. */
export function TransferChoice(props: { active: ActiveCall; onDone: () => void }): ReactNode {
  const { call, available_employees: available } = props.active;
  const [chosen, setChosen] = useState('');
  const [typed, setTyped] = useState('');
  // Coworkers come and go meanwhile.
  const isOutside = chosen === OUTSIDE || available.length === 0;
  const coworker = available.find(({ id }) => id === chosen);
  const target = isOutside ? { phone_number: typed.trim() } : { employee_id: coworker?.id ?? '' };
  const start = useMutation({
    mutationFn: (mode: 'warm' | 'blind') =>
      ok(
        api.POST('/api/v1/calls/{call_id}/transfers', {
          params: { path: { call_id: call.id } },
          body: { ...target, mode },
        }),
      ),
    onSuccess: async () => {
      await refresh();
      props.onDone();
    },
  });
  const canStart = isOutside ? typed.trim() !== '' : coworker !== undefined;
  return (
    <div className={styles['transfer']}>
      {start.error && <Failure error={start.error} />}
      {available.length === 0 && <p className={styles['nobody']}>{t('No coworker is available.')}</p>}
      <Choice
        label={t('Transfer to')}
        value={isOutside ? OUTSIDE : (coworker?.id ?? '')}
        isDisabled={start.isPending}
        onChange={setChosen}
        options={[
          ...(available.length === 0 ? [] : [{ value: '', label: t('Choose a coworker') }]),
          ...available.map(({ id, name }) => ({ value: id, label: name })),
          { value: OUTSIDE, label: t('Another number') },
        ]}
      />
      {isOutside && (
        <TextField
          label={t('Outside number')}
          type="tel"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <Button
        variant="primary"
        busy={start.isPending && start.variables === 'warm'}
        isDisabled={!canStart}
        onPress={() => start.mutate('warm')}
      >
        {t('Start transfer')}
      </Button>
      <Button
        busy={start.isPending && start.variables === 'blind'}
        isDisabled={!canStart}
        onPress={() => start.mutate('blind')}
      >
        {t('Hand over at once')}
      </Button>
    </div>
  );
}

/** An open transfer, for the employee who hands over: talk to the coworker, then complete or cancel. */
export function TransferState(props: { callId: string; transfer: NonNullable<ActiveCall['transfer']> }): ReactNode {
  const { callId, transfer } = props;
  const params = { path: { call_id: callId, transfer_id: transfer.id } };
  const complete = useMutation({
    mutationFn: () => ok(api.POST('/api/v1/calls/{call_id}/transfers/{transfer_id}/completion', { params })),
    onSettled: refresh,
  });
  const cancel = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/calls/{call_id}/transfers/{transfer_id}', { params })),
    onSettled: refresh,
  });
  const error = complete.error ?? cancel.error;
  const isConsulting = transfer.state === 'consulting';
  const name = transfer.to_employee?.name ?? transfer.to_phone_number ?? '';
  return (
    <div className={styles['transfer']}>
      <p role="status" className={styles['state']}>
        {isConsulting ? t('In conversation with {name}.', { name }) : t('Calling {name}…', { name })}
      </p>
      {error && <Failure error={error} />}
      <Button variant="primary" busy={complete.isPending} isDisabled={!isConsulting} onPress={() => complete.mutate()}>
        {t('Complete transfer')}
      </Button>
      <Button busy={cancel.isPending} onPress={() => cancel.mutate()}>
        {t('Cancel transfer')}
      </Button>
    </div>
  );
}
