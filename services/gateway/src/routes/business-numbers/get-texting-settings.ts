import { json, endpoint } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';
import { textingSettingsJson, textingSettingsSchema } from './texting-settings-json.ts';

export const getTextingSettings = ({ textingSettings }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/business_numbers/:id/texting_settings',
    tag: 'Business numbers',
    summary: 'Read texting settings',
    description: 'Returns the defaults if none are saved. 404 while texting is off for the company.',
    responses: { 200: textingSettingsSchema },
    errors: [404],
    async handle({ params, context }) {
      const request = { businessNumberId: params.id };
      const { settings } = await textingSettings.getTextingSettings(request, { as: context });
      return json(200, textingSettingsJson(settings));
    },
  });
