import type { Clients } from '../../peers/peers.ts';
import { createWebhook } from './create-webhook.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { retryDelivery } from './retry-delivery.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { sendTestEvent } from './send-test-event.ts';
import { updateWebhook } from './update-webhook.ts';

export const webhookEndpoints = (clients: Clients) => [
  listWebhooks(clients),
  createWebhook(clients),
  getWebhook(clients),
  updateWebhook(clients),
  deleteWebhook(clients),
  rotateWebhookSecret(clients),
  listDeliveries(clients),
  retryDelivery(clients),
  sendTestEvent(clients),
];
