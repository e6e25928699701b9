import {
  LegendDisplayMode,
  LegendPlacement,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';

/** Prometheus, whatever it is called in a Grafana. */
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
/** Of the 24 columns of a dashboard. */
const WIDTH = { figure: 6, lines: 12 };
const HEIGHT = { figure: 4, lines: 8 };

export interface Query {
  readonly expr: string;
  /** The name of a series, with labels as `{{job}}`. */
  readonly legend: string;
}

export interface PanelPlan {
  readonly title: string;
  /** What it measures, what a bad value looks like, and where to look next. */
  readonly help: string;
  /** As Grafana calls it. */
  readonly unit: 's' | 'percentunit' | 'short' | 'reqps' | 'ops';
  /** A present value instead of lines. */
  readonly figure?: true;
  readonly stacked?: true;
  readonly queries: readonly [Query, ...Query[]];
}

export interface DashboardPlan {
  /** Part of its address in Grafana, and the name of its file. */
  readonly name: string;
  readonly title: string;
  readonly rows: readonly { readonly title: string; readonly panels: readonly PanelPlan[] }[];
}

/** A dashboard as Grafana reads it. */
export function dashboard({ name, title, rows }: DashboardPlan): Dashboard {
  const builder = new DashboardBuilder(`Parley: ${title}`)
    .uid(`parley-${name}`)
    .tags(['parley'])
    .timezone('browser')
    .refresh('30s')
    .time({ from: 'now-3h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .readonly()
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .link(new DashboardLinkBuilder('Parley').type(DashboardLinkType.Dashboards).tags(['parley']).keepTime(true));
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title));
    for (const plan of row.panels) builder.withPanel(plan.figure ? figure(plan) : lines(plan));
  }
  return builder.build();
}

function lines(plan: PanelPlan): TimeseriesBuilder {
  const panel = new TimeseriesBuilder()
    .title(plan.title)
    .description(plan.help)
    .datasource(DATASOURCE)
    .unit(plan.unit)
    .min(0)
    .span(WIDTH.lines)
    .height(HEIGHT.lines)
    .fillOpacity(plan.stacked ? 30 : 0)
    .legend(
      new VizLegendOptionsBuilder()
        .showLegend(true)
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi));
  if (plan.stacked) panel.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
  for (const query of queries(plan)) panel.withTarget(query);
  return panel;
}

function figure(plan: PanelPlan): StatBuilder {
  const panel = new StatBuilder()
    .title(plan.title)
    .description(plan.help)
    .datasource(DATASOURCE)
    .unit(plan.unit)
    .span(WIDTH.figure)
    .height(HEIGHT.figure);
  for (const query of queries(plan)) panel.withTarget(query.instant());
  return panel;
}

function queries({ queries: planned }: PanelPlan): DataqueryBuilder[] {
  return planned.map(({ expr, legend }, index) =>
    new DataqueryBuilder()
      .refId(String.fromCharCode(65 + index))
      .datasource(DATASOURCE)
      .expr(expr)
      .legendFormat(legend),
  );
}
