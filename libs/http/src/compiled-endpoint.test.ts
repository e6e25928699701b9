import { describe, expect, it } from '@jest/globals';
import { empty } from './response.ts';
import { compileEndpoints } from './compiled-endpoint.ts';
import { endpoint } from './endpoint.ts';

describe('the parameters of a path', () => {
  it('keep the order of the path, whatever their names', () => {
    const declared = endpoint()({
      method: 'get',
      path: '/webhooks/:id/deliveries/:delivery_id',
      tag: 'Webhooks',
      summary: 'Read a delivery',
      responses: { 204: null },
      handle: () => empty(204),
    });
    const found = compileEndpoints('', [declared])('/webhooks/whk_1/deliveries/whd_1');
    expect(found?.value.endpoints['GET']?.parameterNames).toEqual(['id', 'delivery_id']);
    expect(found?.parameters).toEqual(['whk_1', 'whd_1']);
  });
});
