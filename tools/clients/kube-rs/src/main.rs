//! A hello-world operator on kube-rs, for ../test-real/kube-rs.test.ts: it installs its own CRD by server-side apply, waits
//! until it is served, and gives every Greeting a ConfigMap and a status. Greetings are read by list and watch, ConfigMaps
//! by a streaming list.
use std::{collections::BTreeMap, sync::Arc, time::Duration};

use futures::StreamExt;
use k8s_openapi::{
    api::core::v1::ConfigMap, apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{
    Api, Client, CustomResource, CustomResourceExt, Resource, ResourceExt,
    api::{ObjectMeta, Patch, PatchParams},
    runtime::{
        conditions,
        controller::{Action, Controller},
        wait::await_condition,
        watcher,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

const MANAGER: &str = "greeting-operator";

#[derive(CustomResource, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[kube(group = "clients.example.com", version = "v1", kind = "Greeting", namespaced, status = "GreetingStatus")]
struct GreetingSpec {
    name: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GreetingStatus {
    greeting: Option<String>,
    observed_generation: Option<i64>,
}

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct ReconcileError(#[from] kube::Error);

async fn reconcile(greeting: Arc<Greeting>, client: Arc<Client>) -> Result<Action, ReconcileError> {
    let (name, namespace) = (greeting.name_any(), greeting.namespace().unwrap_or_default());
    let text = format!("Hello, {}!", greeting.spec.name);
    let child = ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.clone()),
            owner_references: greeting.controller_owner_ref(&()).map(|owner| vec![owner]),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::from([("greeting".to_string(), text.clone())])),
        ..ConfigMap::default()
    };
    Api::<ConfigMap>::namespaced((*client).clone(), &namespace)
        .patch(&name, &PatchParams::apply(MANAGER).force(), &Patch::Apply(&child))
        .await?;
    let status = GreetingStatus { greeting: Some(text), observed_generation: greeting.metadata.generation };
    if greeting.status.as_ref() != Some(&status) {
        Api::<Greeting>::namespaced((*client).clone(), &namespace)
            .patch_status(&name, &PatchParams::default(), &Patch::Merge(json!({ "status": status })))
            .await?;
    }
    Ok(Action::await_change())
}

fn retry(_: Arc<Greeting>, error: &ReconcileError, _: Arc<Client>) -> Action {
    eprintln!("reconcile: {error}");
    Action::requeue(Duration::from_millis(200))
}

async fn install_crd(client: &Client) -> Result<(), Box<dyn std::error::Error>> {
    let crds = Api::<CustomResourceDefinition>::all(client.clone());
    let name = Greeting::crd_name();
    crds.patch(name, &PatchParams::apply(MANAGER).force(), &Patch::Apply(Greeting::crd())).await?;
    await_condition(crds, name, conditions::is_crd_established()).await?;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::try_default().await?;
    install_crd(&client).await?;
    println!("started");
    Controller::new(Api::<Greeting>::all(client.clone()), watcher::Config::default())
        .owns(Api::<ConfigMap>::all(client.clone()), watcher::Config::default().streaming_lists())
        .shutdown_on_signal()
        .run(reconcile, retry, Arc::new(client))
        .for_each(|outcome| async move {
            if let Err(error) = outcome {
                eprintln!("controller: {error}");
            }
        })
        .await;
    Ok(())
}
