/** Answers of the sample; `described-examples.test.ts` writes and checks them. */
export const EXAMPLES = {
  "answers": {
    "listDataReferences": {
      "body": {},
      "answer": {
        "dataReferences": [
          {
            "name": "ml_visitation.foot_traffic_month",
            "dataProductDisplayName": "Visitation",
            "dataProductDescription": "US national parks with their monthly visits, and the neighborhoods of the United States with their population. Data: US National Park Service (NPS Stats, NPS API), CSV compiled by Responsible Datasets in Context (Walsh et al.), CC BY 4.0; US Census Bureau 2020.",
            "dataListingDisplayName": "National park visits by month",
            "dataListingDescription": "Recreation visits and overnight stays of each park and month, 1979 to 2023. Eight counts of non-recreation visits are negative: corrections of the source, kept as they are.",
            "fields": [
              {
                "name": "location_id",
                "sourceColumn": "feature.feature_id.value",
                "type": "COLUMN_TYPE_STRING",
                "description": "Code of the park.",
                "filters": {
                  "supportedOperators": [
                    "==",
                    "!="
                  ]
                },
                "exampleValue": "ACAD",
                "includedByDefault": true
              },
              {
                "name": "location_name",
                "sourceColumn": "feature.name.value",
                "type": "COLUMN_TYPE_STRING",
                "description": "Full name of the park.",
                "filters": {
                  "supportedOperators": [
                    "==",
                    "!="
                  ]
                },
                "exampleValue": "Acadia National Park",
                "includedByDefault": true
              }
            ],
            "options": {
              "boundingBox": {
                "exampleValue": "{\"minLng\":-124.5,\"minLat\":32.5,\"maxLng\":-114.1,\"maxLat\":42}",
                "displayName": "Bounding box",
                "description": "Records whose point lies inside the box, edges included; degrees. minLng > maxLng crosses the antimeridian.",
                "available": false
              },
              "trimToPeriodOfExistence": {
                "exampleValue": "TRIM",
                "displayName": "Trim to period of existence",
                "description": "TRIM (default) leaves out records whose period lies outside the time their place existed; IGNORE keeps them.",
                "available": false
              },
              "orderBy": {
                "exampleValue": "{\"fieldName\":\"location_id\",\"direction\":\"DESC\"}",
                "displayName": "Order",
                "description": "Orders by one field, ASC or DESC; absent values last, ties by the key.",
                "available": true
              }
            },
            "version": "20260101T000000000Z-0123456789ab",
            "publishedTime": "2026-01-31T10:20:30.400Z",
            "rowCount": 33395,
            "firstObservationDate": "1979-01-01",
            "lastObservationDate": "2023-12-31"
          },
          {
            "name": "ml_visitation.neighborhoods",
            "dataProductDisplayName": "Visitation",
            "dataProductDescription": "US national parks with their monthly visits, and the neighborhoods of the United States with their population. Data: US National Park Service (NPS Stats, NPS API), CSV compiled by Responsible Datasets in Context (Walsh et al.), CC BY 4.0; US Census Bureau 2020.",
            "dataListingDisplayName": "Neighborhoods",
            "dataListingDescription": "The 242,335 census block groups of 2020, each with its center of population and its people.",
            "fields": [
              {
                "name": "location_id",
                "sourceColumn": "feature.feature_id.value",
                "type": "COLUMN_TYPE_STRING",
                "description": "Code of the block group (GEOID of 12 digits).",
                "filters": {
                  "supportedOperators": [
                    "==",
                    "!="
                  ]
                },
                "exampleValue": "010010201001",
                "includedByDefault": true
              },
              {
                "name": "us_tract_id",
                "sourceColumn": "address.us_tract_2020.value",
                "type": "COLUMN_TYPE_STRING",
                "description": "Code of the census tract, 11 digits.",
                "filters": {
                  "supportedOperators": [
                    "==",
                    "!="
                  ]
                },
                "exampleValue": "01001020100",
                "includedByDefault": true
              }
            ],
            "options": {
              "boundingBox": {
                "exampleValue": "{\"minLng\":-124.5,\"minLat\":32.5,\"maxLng\":-114.1,\"maxLat\":42}",
                "displayName": "Bounding box",
                "description": "Records whose point lies inside the box, edges included; degrees. minLng > maxLng crosses the antimeridian.",
                "available": true
              },
              "trimToPeriodOfExistence": {
                "exampleValue": "TRIM",
                "displayName": "Trim to period of existence",
                "description": "TRIM (default) leaves out records whose period lies outside the time their place existed; IGNORE keeps them.",
                "available": false
              },
              "orderBy": {
                "exampleValue": "{\"fieldName\":\"location_id\",\"direction\":\"DESC\"}",
                "displayName": "Order",
                "description": "Orders by one field, ASC or DESC; absent values last, ties by the key.",
                "available": true
              }
            },
            "version": "20260101T000000000Z-0123456789ab",
            "publishedTime": "2026-01-31T10:20:30.400Z",
            "rowCount": 242335
          }
        ]
      }
    },
    "getDataReference": {
      "body": {
        "name": "ml_visitation.places"
      },
      "answer": {
        "dataReference": {
          "name": "ml_visitation.places",
          "dataProductDisplayName": "Visitation",
          "dataProductDescription": "US national parks with their monthly visits, and the neighborhoods of the United States with their population. Data: US National Park Service (NPS Stats, NPS API), CSV compiled by Responsible Datasets in Context (Walsh et al.), CC BY 4.0; US Census Bureau 2020.",
          "dataListingDisplayName": "National parks",
          "dataListingDescription": "The 63 national parks of the United States, each with its address and point.",
          "fields": [
            {
              "name": "location_id",
              "sourceColumn": "feature.feature_id.value",
              "type": "COLUMN_TYPE_STRING",
              "description": "Code of the park in the National Park Service.",
              "filters": {
                "supportedOperators": [
                  "==",
                  "!="
                ]
              },
              "exampleValue": "ACAD",
              "includedByDefault": true
            },
            {
              "name": "placekey",
              "sourceColumn": "feature.placekey.value",
              "type": "COLUMN_TYPE_STRING",
              "description": "Where-part of the Placekey, computed from the point. Two parks with one point share one.",
              "filters": {
                "supportedOperators": [
                  "==",
                  "!="
                ]
              },
              "exampleValue": "@64w-2vp-4n5",
              "includedByDefault": true
            }
          ],
          "options": {
            "boundingBox": {
              "exampleValue": "{\"minLng\":-124.5,\"minLat\":32.5,\"maxLng\":-114.1,\"maxLat\":42}",
              "displayName": "Bounding box",
              "description": "Records whose point lies inside the box, edges included; degrees. minLng > maxLng crosses the antimeridian.",
              "available": true
            },
            "trimToPeriodOfExistence": {
              "exampleValue": "TRIM",
              "displayName": "Trim to period of existence",
              "description": "TRIM (default) leaves out records whose period lies outside the time their place existed; IGNORE keeps them.",
              "available": false
            },
            "orderBy": {
              "exampleValue": "{\"fieldName\":\"location_id\",\"direction\":\"DESC\"}",
              "displayName": "Order",
              "description": "Orders by one field, ASC or DESC; absent values last, ties by the key.",
              "available": true
            }
          },
          "version": "20260101T000000000Z-0123456789ab",
          "publishedTime": "2026-01-31T10:20:30.400Z",
          "rowCount": 63
        }
      }
    },
    "listRecords": {
      "body": {
        "dataReferenceName": "ml_visitation.places",
        "fields": [
          {
            "name": "location_name"
          },
          {
            "name": "city"
          }
        ],
        "filters": [
          {
            "fieldName": "region",
            "operator": "==",
            "value": "CA"
          }
        ],
        "options": {
          "orderBy": {
            "fieldName": "location_name",
            "direction": "ASC"
          }
        },
        "pageSize": 2
      },
      "answer": {
        "records": [
          {
            "fields": {
              "location_name": "Channel Islands National Park",
              "city": "Ventura"
            }
          },
          {
            "fields": {
              "location_name": "Death Valley National Park",
              "city": "Death Valley"
            }
          }
        ],
        "fieldDefinitions": [
          {
            "name": "location_name",
            "sourceColumn": "feature.name.value",
            "type": "COLUMN_TYPE_STRING",
            "description": "Full name of the park.",
            "filters": {
              "supportedOperators": [
                "==",
                "!="
              ]
            },
            "exampleValue": "Acadia National Park",
            "includedByDefault": true
          },
          {
            "name": "city",
            "sourceColumn": "feature.city.value",
            "type": "COLUMN_TYPE_STRING",
            "description": "City of the address.",
            "filters": {
              "supportedOperators": [
                "==",
                "!="
              ]
            },
            "exampleValue": "Bar Harbor",
            "includedByDefault": true
          }
        ],
        "nextPageToken": "q83vEjRWeJCrze8SNFZ4kA",
        "totalSize": 9,
        "version": "20260101T000000000Z-0123456789ab"
      }
    },
    "searchFieldValues": {
      "body": {
        "dataReferenceName": "ml_visitation.places",
        "field": {
          "name": "city"
        },
        "term": "spring"
      },
      "answer": {
        "values": [
          "Springdale",
          "Hot Springs"
        ],
        "fieldDefinition": {
          "name": "city",
          "sourceColumn": "feature.city.value",
          "type": "COLUMN_TYPE_STRING",
          "description": "City of the address.",
          "filters": {
            "supportedOperators": [
              "==",
              "!="
            ]
          },
          "exampleValue": "Bar Harbor",
          "includedByDefault": true
        },
        "nextPageToken": "",
        "version": "20260101T000000000Z-0123456789ab"
      }
    },
    "searchMetricValues": {
      "answer": {
        "valuesList": [
          {
            "metricId": "foot_traffic_monthly",
            "value": {
              "name": "person_count",
              "unit": "People",
              "number": 0,
              "count": 6011,
              "category": ""
            },
            "observationPeriod": {
              "start": {
                "year": 1979,
                "month": 1,
                "day": 1
              },
              "end": {
                "year": 1979,
                "month": 1,
                "day": 31
              }
            },
            "dimensionsList": [],
            "supportingValuesList": [
              {
                "name": "non_recreation_visits",
                "unit": "People",
                "number": 0,
                "count": 15252,
                "category": ""
              },
              {
                "name": "tent_campers",
                "unit": "People",
                "number": 0,
                "count": 102,
                "category": ""
              }
            ],
            "flagsList": [],
            "mapFeatureV2": {
              "layerId": "nps_parks",
              "featureId": "ACAD",
              "name": "Acadia National Park",
              "geo": "{\"type\":\"Point\",\"coordinates\":[-68.247501,44.409286]}",
              "addressComponentsList": [
                {
                  "component": "street_address",
                  "value": "25 Visitor Center Road",
                  "shortName": "",
                  "displayName": ""
                },
                {
                  "component": "city",
                  "value": "Bar Harbor",
                  "shortName": "",
                  "displayName": ""
                }
              ],
              "point": "{\"type\":\"Point\",\"coordinates\":[-68.247501,44.409286]}",
              "polygon": "",
              "cameIntoExistence": "",
              "ceasedToExist": ""
            }
          }
        ],
        "appliedFilters": {
          "periodFiltersList": [],
          "dimensionFiltersList": [],
          "addressComponentFiltersList": [
            {
              "component": "is_obfuscated",
              "valuesList": [
                "false"
              ]
            }
          ],
          "featureFiltersList": [
            "ACAD"
          ],
          "relatedFeatureFiltersList": [],
          "valueFiltersList": [],
          "relatedAddressComponentFiltersList": []
        },
        "totalSize": 540,
        "nextPageToken": "q83vEjRWeJCrze8SNFZ4kA",
        "version": "20260101T000000000Z-0123456789ab"
      }
    },
    "searchMetricValuesByBody": {
      "body": {
        "billingContext": "demo",
        "featureFilter": [
          "ACAD"
        ],
        "observationPeriodFilter": {
          "start": "2023-01-01",
          "end": "2023-12-31"
        },
        "pageSize": 1
      },
      "answer": {
        "valuesList": [
          {
            "metricId": "foot_traffic_monthly",
            "value": {
              "name": "person_count",
              "unit": "People",
              "number": 0,
              "count": 15217,
              "category": ""
            },
            "observationPeriod": {
              "start": {
                "year": 2023,
                "month": 1,
                "day": 1
              },
              "end": {
                "year": 2023,
                "month": 1,
                "day": 31
              }
            },
            "dimensionsList": [],
            "supportingValuesList": [
              {
                "name": "non_recreation_visits",
                "unit": "People",
                "number": 0,
                "count": 600,
                "category": ""
              },
              {
                "name": "tent_campers",
                "unit": "People",
                "number": 0,
                "count": 0,
                "category": ""
              }
            ],
            "flagsList": [],
            "mapFeatureV2": {
              "layerId": "nps_parks",
              "featureId": "ACAD",
              "name": "Acadia National Park",
              "geo": "{\"type\":\"Point\",\"coordinates\":[-68.247501,44.409286]}",
              "addressComponentsList": [
                {
                  "component": "street_address",
                  "value": "25 Visitor Center Road",
                  "shortName": "",
                  "displayName": ""
                },
                {
                  "component": "city",
                  "value": "Bar Harbor",
                  "shortName": "",
                  "displayName": ""
                }
              ],
              "point": "{\"type\":\"Point\",\"coordinates\":[-68.247501,44.409286]}",
              "polygon": "",
              "cameIntoExistence": "",
              "ceasedToExist": ""
            }
          }
        ],
        "appliedFilters": {
          "periodFiltersList": [
            {
              "start": {
                "year": 2023,
                "month": 1,
                "day": 1
              },
              "end": {
                "year": 2023,
                "month": 12,
                "day": 31
              }
            }
          ],
          "dimensionFiltersList": [],
          "addressComponentFiltersList": [
            {
              "component": "is_obfuscated",
              "valuesList": [
                "false"
              ]
            }
          ],
          "featureFiltersList": [
            "ACAD"
          ],
          "relatedFeatureFiltersList": [],
          "valueFiltersList": [],
          "relatedAddressComponentFiltersList": []
        },
        "totalSize": 12,
        "nextPageToken": "q83vEjRWeJCrze8SNFZ4kA",
        "version": "20260101T000000000Z-0123456789ab"
      }
    },
    "readUsage": {
      "answer": {
        "from": "2026-01-01",
        "to": "2026-01-31",
        "completeUntil": "2026-01-31T10:20:30.400Z",
        "usage": [
          {
            "operation": "getDataReference",
            "requests": 1,
            "rows": 0,
            "bytes": 45678
          },
          {
            "operation": "listDataReferences",
            "requests": 1,
            "rows": 0,
            "bytes": 45678
          }
        ],
        "total": {
          "requests": 6,
          "rows": 6,
          "bytes": 45678
        },
        "nextPageToken": ""
      }
    },
    "readUsageOfAll": {
      "answer": {
        "from": "2026-01-01",
        "to": "2026-01-31",
        "completeUntil": "2026-01-31T10:20:30.400Z",
        "usage": [
          {
            "organisation": "demo",
            "requests": 6,
            "rows": 6,
            "bytes": 45678
          }
        ],
        "total": {
          "requests": 6,
          "rows": 6,
          "bytes": 45678
        },
        "nextPageToken": ""
      }
    },
    "createOrganisation": {
      "body": {
        "name": "City of Somewhere",
        "id": "somewhere"
      },
      "answer": {
        "id": "somewhere",
        "name": "City of Somewhere",
        "created": "2026-01-31T10:20:30.400Z"
      }
    },
    "listOrganisations": {
      "answer": {
        "organisations": [
          {
            "id": "demo",
            "name": "Demo",
            "created": "2026-01-31T10:20:30.400Z"
          },
          {
            "id": "busy",
            "name": "Busy",
            "created": "2026-01-31T10:20:30.400Z"
          }
        ]
      }
    },
    "createToken": {
      "body": {
        "organisationId": "somewhere",
        "name": "reports",
        "expiresAfter": "90d"
      },
      "answer": {
        "token": "lm_000000000000000000000000000000000000",
        "tokenId": "0123456789ab",
        "scopes": [
          "catalog",
          "metrics"
        ],
        "expires": "2026-01-31T10:20:30.400Z"
      }
    },
    "rotateToken": {
      "body": {
        "overlap": "24h"
      },
      "answer": {
        "token": "lm_000000000000000000000000000000000000",
        "tokenId": "0123456789ab",
        "scopes": [
          "catalog",
          "metrics"
        ],
        "expires": "2026-01-31T10:20:30.400Z",
        "replaced": {
          "tokenId": "0123456789ab",
          "expires": "2026-01-31T10:20:30.400Z"
        }
      }
    },
    "listTokens": {
      "answer": {
        "tokens": [
          {
            "tokenId": "0123456789ab",
            "organisationId": "somewhere",
            "name": "reports",
            "scopes": [
              "catalog",
              "metrics"
            ],
            "state": "active",
            "created": "2026-01-31T10:20:30.400Z",
            "expires": "2026-01-31T10:20:30.400Z",
            "lastUsed": null,
            "revoked": null,
            "replacedBy": "0123456789ab"
          },
          {
            "tokenId": "0123456789ab",
            "organisationId": "somewhere",
            "name": "reports",
            "scopes": [
              "catalog",
              "metrics"
            ],
            "state": "active",
            "created": "2026-01-31T10:20:30.400Z",
            "expires": "2026-01-31T10:20:30.400Z",
            "lastUsed": null,
            "revoked": null,
            "replacedBy": null
          }
        ]
      }
    },
    "revokeToken": {
      "body": {},
      "answer": {
        "tokenId": "0123456789ab",
        "revoked": "2026-01-31T10:20:30.400Z"
      }
    },
    "addGrant": {
      "body": {
        "organisationId": "somewhere",
        "pattern": "ml_visitation.places",
        "filters": [
          {
            "fieldName": "region",
            "operator": "==",
            "value": "CA"
          }
        ],
        "until": "2099-12-31"
      },
      "answer": {
        "grant": {
          "grantId": "0123456789ab",
          "organisationId": "somewhere",
          "pattern": "ml_visitation.places",
          "created": "2026-01-31T10:20:30.400Z",
          "from": null,
          "until": "2099-12-31",
          "filters": [
            {
              "fieldName": "region",
              "operator": "==",
              "value": "CA",
              "values": []
            }
          ],
          "fields": null,
          "observationPeriodFilter": {},
          "addressComponentFilter": [],
          "dimensionFilter": [],
          "featureFilter": [],
          "relatedAddressComponentFilter": [],
          "relatedFeatureFilter": [],
          "showsSmallCells": false,
          "liftsDefaultFilters": false
        },
        "names": [
          "ml_visitation.places"
        ]
      }
    },
    "listGrants": {
      "answer": {
        "grants": [
          {
            "grantId": "0123456789ab",
            "organisationId": "somewhere",
            "pattern": "ml_visitation.places",
            "created": "2026-01-31T10:20:30.400Z",
            "from": null,
            "until": "2099-12-31",
            "filters": [
              {
                "fieldName": "region",
                "operator": "==",
                "value": "CA",
                "values": []
              }
            ],
            "fields": null,
            "observationPeriodFilter": {},
            "addressComponentFilter": [],
            "dimensionFilter": [],
            "featureFilter": [],
            "relatedAddressComponentFilter": [],
            "relatedFeatureFilter": [],
            "showsSmallCells": false,
            "liftsDefaultFilters": false,
            "state": "fits",
            "fits": [
              {
                "name": "ml_visitation.places",
                "isSeen": true,
                "problems": []
              }
            ]
          }
        ]
      }
    },
    "removeGrant": {
      "answer": {
        "grant": {
          "grantId": "0123456789ab",
          "organisationId": "somewhere",
          "pattern": "ml_visitation.places",
          "created": "2026-01-31T10:20:30.400Z",
          "from": null,
          "until": "2099-12-31",
          "filters": [
            {
              "fieldName": "region",
              "operator": "==",
              "value": "CA",
              "values": []
            }
          ],
          "fields": null,
          "observationPeriodFilter": {},
          "addressComponentFilter": [],
          "dimensionFilter": [],
          "featureFilter": [],
          "relatedAddressComponentFilter": [],
          "relatedFeatureFilter": [],
          "showsSmallCells": false,
          "liftsDefaultFilters": false
        }
      }
    },
    "setLimits": {
      "body": {
        "requestsPerSecond": 10,
        "burst": 50,
        "rowsPerMonth": 5000000
      },
      "answer": {
        "organisationId": "somewhere",
        "requestsPerSecond": 10,
        "burst": 50,
        "rowsPerDay": null,
        "rowsPerMonth": 5000000,
        "concurrentQueries": null
      }
    },
    "getLimits": {
      "answer": {
        "organisationId": "somewhere",
        "requestsPerSecond": 10,
        "burst": 50,
        "rowsPerDay": null,
        "rowsPerMonth": 5000000,
        "concurrentQueries": null
      }
    },
    "listAudit": {
      "answer": {
        "entries": [
          {
            "entryId": 12,
            "time": "2026-01-31T10:20:30.400Z",
            "actor": {
              "kind": "token",
              "tokenId": "0123456789ab",
              "organisationId": "demo"
            },
            "action": "limits.set",
            "organisationId": "somewhere",
            "subject": "0123456789ab",
            "details": {
              "requestsPerSecond": 10,
              "burst": 50,
              "rowsPerMonth": 5000000
            }
          },
          {
            "entryId": 11,
            "time": "2026-01-31T10:20:30.400Z",
            "actor": {
              "kind": "token",
              "tokenId": "0123456789ab",
              "organisationId": "demo"
            },
            "action": "grant.remove",
            "organisationId": "somewhere",
            "subject": "0123456789ab",
            "details": {
              "pattern": "ml_visitation.places",
              "filters": [
                {
                  "fieldName": "region",
                  "operator": "==",
                  "value": "CA",
                  "values": []
                }
              ],
              "lens": {
                "period": {},
                "dimensions": [],
                "addressComponents": [],
                "features": [],
                "relatedAddressComponents": [],
                "relatedFeatures": []
              },
              "ends": 4102444800000,
              "showsSmallCells": false,
              "liftsDefaultFilters": false
            }
          }
        ],
        "nextPageToken": "11"
      }
    }
  },
  "problems": {
    "400": {
      "type": "urn:locmetrics:problem:UNKNOWN_FIELD",
      "title": "Unknown field of the dataset",
      "status": 400,
      "detail": "Unknown field 'citty' in ml_visitation.places.",
      "instance": "/v3/catalog/listRecords",
      "code": "INVALID_ARGUMENT",
      "reason": "UNKNOWN_FIELD",
      "hint": "Did you mean 'city'?",
      "errors": [
        {
          "pointer": "/filters/0/fieldName",
          "detail": "Unknown field 'citty' in ml_visitation.places."
        }
      ],
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    },
    "401": {
      "type": "urn:locmetrics:problem:TOKEN_MISSING",
      "title": "No token",
      "status": 401,
      "detail": "The request has no Authorization header.",
      "instance": "/v3/catalog/listRecords",
      "code": "UNAUTHENTICATED",
      "reason": "TOKEN_MISSING",
      "hint": "Send the header `Authorization: Bearer <token>`.",
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    },
    "403": {
      "type": "urn:locmetrics:problem:SCOPE_MISSING",
      "title": "Scope missing",
      "status": 403,
      "detail": "The token does not have the scope 'admin', which is required.",
      "instance": "/v1/admin/organisations",
      "code": "PERMISSION_DENIED",
      "reason": "SCOPE_MISSING",
      "hint": "Use a token that has the scope 'admin', or ask the data owner for one.",
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    },
    "404": {
      "type": "urn:locmetrics:problem:DATA_REFERENCE_NOT_FOUND",
      "title": "No such data reference",
      "status": 404,
      "detail": "There is no data reference 'ml_visitation.place'.",
      "instance": "/v3/catalog/listRecords",
      "code": "NOT_FOUND",
      "reason": "DATA_REFERENCE_NOT_FOUND",
      "hint": "Did you mean 'ml_visitation.places'?",
      "errors": [
        {
          "pointer": "/dataReferenceName",
          "detail": "There is no data reference 'ml_visitation.place'."
        }
      ],
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    },
    "406": {
      "type": "urn:locmetrics:problem:NOT_ACCEPTABLE",
      "title": "No acceptable encoding",
      "status": 406,
      "detail": "Accept-Encoding 'identity;q=0, compress' accepts no supported encoding.",
      "instance": "/v3/catalog/listRecords",
      "code": "INVALID_ARGUMENT",
      "reason": "NOT_ACCEPTABLE",
      "hint": "Leave Accept-Encoding out, or include zstd, br, gzip or identity.",
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    },
    "409": {
      "type": "urn:locmetrics:problem:ORGANISATION_EXISTS",
      "title": "The organisation already exists",
      "status": 409,
      "detail": "An organisation with the id 'somewhere' already exists.",
      "instance": "/v1/admin/organisations",
      "code": "ALREADY_EXISTS",
      "reason": "ORGANISATION_EXISTS",
      "hint": "Choose another id, or leave it out to have one generated.",
      "errors": [
        {
          "pointer": "/id",
          "detail": "An organisation with the id 'somewhere' already exists."
        }
      ],
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    },
    "413": {
      "type": "urn:locmetrics:problem:BODY_TOO_LARGE",
      "title": "The body is too large",
      "status": 413,
      "detail": "The body is larger than 1 MiB.",
      "instance": "/v3/catalog/listRecords",
      "code": "INVALID_ARGUMENT",
      "reason": "BODY_TOO_LARGE",
      "hint": "Split a long list of values over several requests.",
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    },
    "415": {
      "type": "urn:locmetrics:problem:UNSUPPORTED_MEDIA_TYPE",
      "title": "Media type not supported",
      "status": 415,
      "detail": "The body is not declared as JSON.",
      "instance": "/v3/catalog/listRecords",
      "code": "INVALID_ARGUMENT",
      "reason": "UNSUPPORTED_MEDIA_TYPE",
      "hint": "Send the header Content-Type: application/json.",
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    },
    "429": {
      "type": "urn:locmetrics:problem:LIMIT_EXCEEDED",
      "title": "A limit of the organisation is reached",
      "status": 429,
      "detail": "Your organisation may send 1 requests a second, in bursts of 1. None is left; the next is allowed in 930 ms.",
      "instance": "/v3/catalog/listRecords",
      "code": "RESOURCE_EXHAUSTED",
      "reason": "LIMIT_EXCEEDED",
      "hint": "Send fewer requests a second. The header RateLimit contains how many are left.",
      "limit": "requestsPerSecond",
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    },
    "431": {
      "type": "urn:locmetrics:problem:HEADERS_TOO_LARGE",
      "title": "The headers are too large",
      "status": 431,
      "detail": "The address and the headers are too large.",
      "instance": "",
      "code": "INVALID_ARGUMENT",
      "reason": "HEADERS_TOO_LARGE",
      "hint": "Send at most 16 KiB of them; long filters go into the body.",
      "requestId": "6f0c3f0e-5a53-4d56-9c0e-1d6a3f6f2f43"
    }
  }
};
