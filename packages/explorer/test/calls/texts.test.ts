import { expect, test } from 'vitest';
import type { Call, CallContext } from '../../src/calls/call.ts';
import { LANGUAGES } from '../../src/calls/languages.ts';

const CONTEXT: CallContext = {
  url: 'https://data.example.org',
  organisationId: 'demo',
  token: undefined,
};

const PAGE: Call = {
  operation: 'listRecords',
  request: {
    dataReferenceName: 'ml_visitation.places',
    fields: [{ name: 'city' }, 'latitude'],
    filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
    options: {
      orderBy: { fieldName: 'latitude', direction: 'ASC' },
      boundingBox: undefined,
      trimToPeriodOfExistence: 'TRIM',
    },
    billingContext: 'demo',
    typedValues: true,
    pageSize: 50,
    pageToken: '',
  },
};

const VALUES: Call = {
  operation: 'searchMetricValues',
  request: {
    catalogId: 'nps',
    metricId: 'foot_traffic_monthly',
    featureFilter: ['ACAD'],
    dimensionFilter: [],
    observationPeriodFilter: { start: { year: 2023, month: 6, day: 1 } },
    valueFilter: [
      { valueName: 'person_count', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 1000 },
    ],
    asOf: '2024-01-01',
  },
};

test('records ordered by several fields', () => {
  const call: Call = {
    operation: 'listRecords',
    request: {
      dataReferenceName: 'ml_visitation.places',
      options: {
        orderBy: { fieldName: 'region', direction: 'ASC' },
        thenBy: [
          { fieldName: 'latitude', direction: 'DESC' },
          { fieldName: 'city', direction: 'ASC' },
        ],
      },
      pageSize: 50,
    },
  };
  const json = '"thenBy": [{"fieldName": "latitude", "direction": "DESC"}, {"fieldName": "city"}]';
  expect(textOf('curl', call)).toContain(json);
  expect(textOf('typescript', call)).toContain(
    "thenBy: [{ fieldName: 'latitude', direction: 'DESC' }, { fieldName: 'city' }],",
  );
  // The published client knows one field.
  expect(textOf('python', call)).not.toContain('unacatlib');
  expect(textOf('python', call)).toContain('"thenBy": [');
  expect(textOf('grpcurl', call)).toContain(
    '{"field_name": "latitude", "direction": "ORDER_DIRECTION_DESC"}',
  );
});

test('a page of records', () => {
  expect(textOf('curl', PAGE)).toMatchInlineSnapshot(`
    "curl -sS 'https://data.example.org/v3/catalog/listRecords' \\
      -H "Authorization: Bearer $LOCMETRICS_TOKEN" -H 'Content-Type: application/json' \\
      -d '{
        "dataReferenceName": "ml_visitation.places",
        "fields": ["city", "latitude"],
        "filters": [{"fieldName": "region", "operator": "==", "value": "CA"}],
        "options": {"orderBy": {"fieldName": "latitude"}},
        "typedValues": true,
        "pageSize": 50
      }'"
  `);
  expect(textOf('typescript', PAGE)).toMatchInlineSnapshot(`
    "import { createClient } from '@locmetrics/client';

    const client = createClient({
      url: 'https://data.example.org',
      token: process.env.LOCMETRICS_TOKEN ?? '',
    });
    const records = client.records('ml_visitation.places', {
      fields: ['city', 'latitude'],
      filters: [{ fieldName: 'region', operator: '==', value: 'CA' }],
      orderBy: { fieldName: 'latitude' },
      pageSize: 50,
    });
    for await (const page of records.pages()) {
      for (const { fields } of page.records) console.log(fields);
      break; // Without this line it reads all records.
    }"
  `);
  expect(textOf('python', PAGE)).toMatchInlineSnapshot(`
    "import os
    from unacatlib.query_client import FilterClause, OrderBy, QueryClient
    from unacatlib.unacast.catalog.v3 import Options

    # The address of the gRPC interface, host:port. The explorer does not know it.
    host, port = os.environ["LOCMETRICS_GRPC_ADDRESS"].rsplit(":", 1)
    client = QueryClient(
        api_key=os.environ["LOCMETRICS_TOKEN"],
        server_address=host,
        port=int(port),
    )
    # Leave this line out if Python already trusts the certificate of the service.
    client.channel._ssl.load_verify_locations(os.environ["LOCMETRICS_CA_FILE"])

    # Without the limit it reads all records.
    answer = client.list_records(
        "ml_visitation.places",
        fields=["city", "latitude"],
        filters=[FilterClause(field_name="region", operator="==", value="CA")],
        options=Options(order_by=OrderBy(field_name="latitude")),
        limit=50,
    )
    print(answer.records.to_df())"
  `);
  expect(textOf('grpcurl', PAGE)).toMatchInlineSnapshot(`
    "grpcurl -cacert "$LOCMETRICS_CA_FILE" -H "authorization: Bearer $LOCMETRICS_TOKEN" \\
      -d '{
        "data_reference_name": "ml_visitation.places",
        "fields": [{"name": "city"}, {"name": "latitude"}],
        "filters": [{"field_name": "region", "operator": "==", "value": "CA"}],
        "options": {"order_by": {"field_name": "latitude"}},
        "page_size": 50
      }' \\
      "$LOCMETRICS_GRPC_ADDRESS" unacast.catalog.v3.CatalogQuery/ListRecords"
  `);
});

test('all values of a metric; Python says what its client cannot send', () => {
  expect(textOf('curl', VALUES)).toMatchInlineSnapshot(`
    "curl -sS 'https://data.example.org/v1/catalogs/nps/metrics/foot_traffic_monthly/values:search' \\
      -H "Authorization: Bearer $LOCMETRICS_TOKEN" -H 'Content-Type: application/json' \\
      -d '{
        "billingContext": "demo",
        "featureFilter": ["ACAD"],
        "asOf": "2024-01-01",
        "observationPeriodFilter": {"start": "2023-06-01"},
        "valueFilter": [
          {
            "valueName": "person_count",
            "operator": "GREATER_THAN_OR_EQUAL_TO",
            "numericValue": 1000
          }
        ],
        "pageSize": 10000
      }'"
  `);
  expect(textOf('typescript', VALUES)).toMatchInlineSnapshot(`
    "import { createClient } from '@locmetrics/client';

    const client = createClient({
      url: 'https://data.example.org',
      token: process.env.LOCMETRICS_TOKEN ?? '',
      billingContext: 'demo',
    });
    const values = client.metricValues({
      catalogId: 'nps',
      metricId: 'foot_traffic_monthly',
      featureFilter: ['ACAD'],
      asOf: '2024-01-01',
      observationPeriodFilter: { start: '2023-06-01' },
      valueFilter: [
        {
          valueName: 'person_count',
          operator: 'GREATER_THAN_OR_EQUAL_TO',
          numericValue: 1000,
        },
      ],
    });
    for await (const value of values) console.log(value);"
  `);
  expect(textOf('python', VALUES)).toMatchInlineSnapshot(`
    "import os
    from datetime import date
    from unacatlib.client import Client
    from unacatlib.filter import Filter

    # The address of the gRPC interface, host:port. The explorer does not know it.
    host, port = os.environ["LOCMETRICS_GRPC_ADDRESS"].rsplit(":", 1)
    client = Client(
        server_address=host,
        token=os.environ["LOCMETRICS_TOKEN"],
        billing_account="demo",
    )
    # This client always uses port 443 with TLS.
    client.channel._port = int(port)
    # Leave this line out if Python already trusts the certificate of the service.
    client.channel._ssl.load_verify_locations(os.environ["LOCMETRICS_CA_FILE"])

    # unacatlib cannot send these parts of the request, so its answer differs:
    #   asOf: "2024-01-01"
    #   valueFilter: [{"valueName": "person_count", "operator": "GREATER_THAN_OR_EQUAL_TO", "numericValue": 1000}]
    wanted = Filter()
    wanted.with_feature_filter("ACAD")
    wanted.with_period_filter(date.fromisoformat("2023-06-01"), date.max)
    metric = client.catalog("nps").metric("foot_traffic_monthly")
    values = metric.with_filter(wanted).values()
    print(values)"
  `);
  expect(textOf('grpcurl', VALUES)).toMatchInlineSnapshot(`
    "grpcurl -cacert "$LOCMETRICS_CA_FILE" -H "authorization: Bearer $LOCMETRICS_TOKEN" \\
      -d '{
        "catalog_id": "nps",
        "metric_id": "foot_traffic_monthly",
        "billing_context": "demo",
        "observation_period_filter": {"start": {"year": 2023, "month": 6, "day": 1}},
        "value_filter": [
          {
            "value_name": "person_count",
            "operator": "VALUE_FILTER_OPERATOR_GREATER_THAN_OR_EQUAL_TO",
            "numeric_value": 1000
          }
        ],
        "feature_filter": ["ACAD"],
        "as_of": "2024-01-01",
        "page_size": 10000
      }' \\
      "$LOCMETRICS_GRPC_ADDRESS" unacast.catalog.v1.QueryService/SearchMetricValues"
  `);
});

const GROUPS: Call = {
  operation: 'listRecords',
  request: {
    dataReferenceName: 'cafes.visits',
    groupBy: [{ fieldName: 'month_start', bucket: 'YEAR' }],
    fields: ['month_start', { name: 'person_count', aggregation: 'SUM', alias: 'visits' }],
    filters: [
      { fieldName: 'cafe_id', operator: '==', value: 'C1' },
      { fieldName: 'cafe_id', operator: '==', value: 'C2' },
    ],
    filterLogic: '$0 OR $1',
    typedValues: true,
    pageSize: 100,
  },
};

test('groups of records', () => {
  expect(textOf('curl', GROUPS)).toMatchInlineSnapshot(`
    "curl -sS 'https://data.example.org/v3/catalog/listRecords' \\
      -H "Authorization: Bearer $LOCMETRICS_TOKEN" -H 'Content-Type: application/json' \\
      -d '{
        "dataReferenceName": "cafes.visits",
        "fields": [
          "month_start",
          {"name": "person_count", "aggregation": "SUM", "alias": "visits"}
        ],
        "filters": [
          {"fieldName": "cafe_id", "operator": "==", "value": "C1"},
          {"fieldName": "cafe_id", "operator": "==", "value": "C2"}
        ],
        "groupBy": [{"fieldName": "month_start", "bucket": "YEAR"}],
        "filterLogic": "$0 OR $1",
        "typedValues": true,
        "pageSize": 100
      }'"
  `);
  expect(textOf('typescript', GROUPS)).toMatchInlineSnapshot(`
    "import { createClient } from '@locmetrics/client';

    const client = createClient({
      url: 'https://data.example.org',
      token: process.env.LOCMETRICS_TOKEN ?? '',
    });
    const { records } = await client.listRecords({
      dataReferenceName: 'cafes.visits',
      fields: [
        'month_start',
        { name: 'person_count', aggregation: 'SUM', alias: 'visits' },
      ],
      filters: [
        { fieldName: 'cafe_id', operator: '==', value: 'C1' },
        { fieldName: 'cafe_id', operator: '==', value: 'C2' },
      ],
      groupBy: [{ fieldName: 'month_start', bucket: 'YEAR' }],
      filterLogic: '$0 OR $1',
      typedValues: true,
      pageSize: 100,
    });
    for (const { fields } of records) console.log(fields);"
  `);
  expect(textOf('python', GROUPS)).toMatchInlineSnapshot(`
    "import json
    import os
    from urllib.request import Request, urlopen

    request = {
        "dataReferenceName": "cafes.visits",
        "fields": [
            "month_start",
            {"name": "person_count", "aggregation": "SUM", "alias": "visits"},
        ],
        "filters": [
            {"fieldName": "cafe_id", "operator": "==", "value": "C1"},
            {"fieldName": "cafe_id", "operator": "==", "value": "C2"},
        ],
        "groupBy": [{"fieldName": "month_start", "bucket": "YEAR"}],
        "filterLogic": "$0 OR $1",
        "typedValues": True,
        "pageSize": 100,
    }
    call = Request(
        "https://data.example.org/v3/catalog/listRecords",
        data=json.dumps(request).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['LOCMETRICS_TOKEN']}",
            "Content-Type": "application/json",
        },
    )
    with urlopen(call) as answer:
        rows = json.load(answer)["records"]
    for row in rows:
        print(row["fields"])"
  `);
  expect(textOf('grpcurl', GROUPS)).toMatchInlineSnapshot(`
    "grpcurl -cacert "$LOCMETRICS_CA_FILE" -H "authorization: Bearer $LOCMETRICS_TOKEN" \\
      -d '{
        "data_reference_name": "cafes.visits",
        "fields": [
          {"name": "month_start"},
          {"name": "person_count", "aggregation": "AGGREGATION_SUM", "alias": "visits"}
        ],
        "filters": [
          {"field_name": "cafe_id", "operator": "==", "value": "C1"},
          {"field_name": "cafe_id", "operator": "==", "value": "C2"}
        ],
        "group_by": [{"field_name": "month_start", "bucket": "BUCKET_YEAR"}],
        "filter_logic": "$0 OR $1",
        "page_size": 100
      }' \\
      "$LOCMETRICS_GRPC_ADDRESS" unacast.catalog.v3.CatalogQuery/ListRecords"
  `);
});

const AGGREGATES: Call = {
  operation: 'searchMetricAggregates',
  request: {
    catalogId: 'cafes',
    metricId: 'visits',
    groupBy: [{ kind: 'FEATURE' }, { kind: 'PERIOD', bucket: 'YEAR' }],
    aggregates: [{ valueName: 'person_count', aggregation: 'SUM' }],
    compare: 'SAME_PERIOD_LAST_YEAR',
    orderBy: [{ name: 'sum_person_count.percent' }],
  },
};

test('aggregates of a metric', () => {
  expect(textOf('curl', AGGREGATES)).toMatchInlineSnapshot(`
    "curl -sS 'https://data.example.org/v1/catalogs/cafes/metrics/visits/aggregates' \\
      -H "Authorization: Bearer $LOCMETRICS_TOKEN" -H 'Content-Type: application/json' \\
      -d '{
        "billingContext": "demo",
        "groupBy": [{"kind": "FEATURE"}, {"kind": "PERIOD", "bucket": "YEAR"}],
        "aggregates": [{"valueName": "person_count", "aggregation": "SUM"}],
        "compare": "SAME_PERIOD_LAST_YEAR",
        "orderBy": [{"name": "sum_person_count.percent"}],
        "pageSize": 10000
      }'"
  `);
  expect(textOf('typescript', AGGREGATES)).toMatchInlineSnapshot(`
    "import { createClient } from '@locmetrics/client';

    const client = createClient({
      url: 'https://data.example.org',
      token: process.env.LOCMETRICS_TOKEN ?? '',
      billingContext: 'demo',
    });
    const groups = client.metricAggregates({
      catalogId: 'cafes',
      metricId: 'visits',
      groupBy: [{ kind: 'FEATURE' }, { kind: 'PERIOD', bucket: 'YEAR' }],
      aggregates: [{ valueName: 'person_count', aggregation: 'SUM' }],
      compare: 'SAME_PERIOD_LAST_YEAR',
      orderBy: [{ name: 'sum_person_count.percent' }],
    });
    for await (const group of groups) console.log(group);"
  `);
  expect(textOf('python', AGGREGATES)).toMatchInlineSnapshot(`
    "import json
    import os
    from urllib.request import Request, urlopen

    request = {
        "billingContext": "demo",
        "groupBy": [{"kind": "FEATURE"}, {"kind": "PERIOD", "bucket": "YEAR"}],
        "aggregates": [{"valueName": "person_count", "aggregation": "SUM"}],
        "compare": "SAME_PERIOD_LAST_YEAR",
        "orderBy": [{"name": "sum_person_count.percent"}],
        "pageSize": 10000,
    }
    call = Request(
        "https://data.example.org/v1/catalogs/cafes/metrics/visits/aggregates",
        data=json.dumps(request).encode(),
        headers={
            "Authorization": f"Bearer {os.environ['LOCMETRICS_TOKEN']}",
            "Content-Type": "application/json",
        },
    )
    with urlopen(call) as answer:
        rows = json.load(answer)["rowsList"]
    for row in rows:
        print(row)"
  `);
  expect(textOf('grpcurl', AGGREGATES)).toMatchInlineSnapshot(`
    "grpcurl -cacert "$LOCMETRICS_CA_FILE" -H "authorization: Bearer $LOCMETRICS_TOKEN" \\
      -d '{
        "catalog_id": "cafes",
        "metric_id": "visits",
        "billing_context": "demo",
        "page_size": 10000,
        "group_by": [
          {"kind": "KIND_FEATURE"},
          {"kind": "KIND_PERIOD", "bucket": "BUCKET_YEAR"}
        ],
        "aggregates": [{"value_name": "person_count", "aggregation": "AGGREGATION_SUM"}],
        "compare": "COMPARISON_SAME_PERIOD_LAST_YEAR",
        "order_by": [{"name": "sum_person_count.percent"}]
      }' \\
      "$LOCMETRICS_GRPC_ADDRESS" locmetrics.v1.Aggregates/SearchMetricAggregates"
  `);
});

test('counts by date, in one answer', () => {
  const call: Call = {
    operation: 'listRecordsStatistics',
    request: { dataReferenceName: 'cafes.visits' },
  };
  for (const { write } of Object.values(LANGUAGES)) {
    const { text, notes } = write(call, CONTEXT);
    expect(text).not.toMatch(/page/i);
    expect(notes.join(' ')).not.toMatch(/page/i);
  }
  expect(textOf('typescript', call)).toContain('await client.listRecordsStatistics({');
});

test('slim values are asked for in Python without the client, which cannot', () => {
  const call: Call = {
    operation: 'searchMetricValues',
    request: { catalogId: 'nps', metricId: 'x', addressComponentWhitelist: [''], skipGeo: true },
  };
  expect(textOf('python', call)).toContain('"addressComponentWhitelist": [""],');
  expect(textOf('python', call)).toContain('"skipGeo": True,');
  expect(textOf('python', call)).not.toContain('unacatlib');
  expect(textOf('grpcurl', call)).toContain('"skip_geo": true');
});

test('a later page is one request, and Python says that it begins with the first row', () => {
  const call: Call = {
    operation: 'listRecords',
    request: { dataReferenceName: 'mobility.states', pageSize: 10, pageToken: 'abc' },
  };
  expect(textOf('typescript', call)).toContain('await client.listRecords({');
  expect(textOf('typescript', call)).toContain("pageToken: 'abc'");
  expect(textOf('curl', call)).toContain('"pageToken": "abc"');
  expect(textOf('grpcurl', call)).toContain('"page_token": "abc"');
  expect(textOf('python', call)).toContain('#   pageToken: "abc"\n');
});

test('grpcurl says that the token of a page with typed values does not fit', () => {
  const { text, notes } = LANGUAGES.grpcurl.write(
    {
      operation: 'listRecords',
      request: { dataReferenceName: 'mobility.states', typedValues: true, pageToken: 'abc' },
    },
    CONTEXT,
  );
  expect(text).not.toContain('abc');
  expect(notes.join(' ')).toContain('this is the first page');
});

test('a text has the token only if it is asked for, and then no variable of it', () => {
  const token = "lm_a'b";
  for (const { write } of Object.values(LANGUAGES)) {
    for (const call of [PAGE, VALUES, GROUPS, AGGREGATES]) {
      const without = write(call, CONTEXT);
      expect(without.text).toContain('LOCMETRICS_TOKEN');
      expect(without.variables).toContain('LOCMETRICS_TOKEN');
      const withToken = write(call, { ...CONTEXT, token });
      expect(withToken.text).toContain('lm_a');
      expect(withToken.text).not.toContain('LOCMETRICS_TOKEN');
      expect(withToken.variables).not.toContain('LOCMETRICS_TOKEN');
    }
  }
});

test('a text names each variable that must be set first', () => {
  for (const { write } of Object.values(LANGUAGES)) {
    for (const call of [PAGE, VALUES, GROUPS, AGGREGATES]) {
      const { text, variables } = write(call, CONTEXT);
      const named = new Set(text.match(/LOCMETRICS_\w+/g));
      expect([...named].sort()).toEqual([...variables].sort());
    }
  }
});

function textOf(language: keyof typeof LANGUAGES, call: Call): string {
  return LANGUAGES[language].write(call, CONTEXT).text;
}
