import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { companyQuery } from '../api/shared-queries.ts';
import type { Company } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Section } from '../ui/page.tsx';
import { Switch } from '../ui/switch.tsx';

export function SupervisionSection({ company }: { company: Company }): ReactNode {
  const toggle = useMutation({
    mutationFn: (isOn: boolean) => ok(api.PATCH('/api/v1/company', { body: { supervision_enabled: isOn } })),
    onSuccess: (saved) => queryClient.setQueryData(queryKeys.company, saved),
    onError: (error) => announce(error.message),
  });
  return (
    <Section
      title={t('Supervision')}
      description={t(
        'Admins can listen to a conversation, whisper to the employee or join it, from the page of the call. Every time is in the call’s timeline, and employees see in their settings that it is on.',
      )}
    >
      <Switch
        label={t('Allow supervision')}
        checked={toggle.isPending ? toggle.variables : company.supervision_enabled}
        onChange={(isOn) => toggle.mutate(isOn)}
      />
    </Section>
  );
}

/** Shown to all employees while supervision is enabled. */
export function SupervisionNotice(): ReactNode {
  const { data: company } = useQuery(companyQuery);
  return (
    company?.supervision_enabled && (
      <Section title={t('Supervision')}>
        <p>
          {t(
            'Your conversations may be supervised: admins can listen, whisper to you or join. The timeline of a call shows when.',
          )}
        </p>
      </Section>
    )
  );
}
