"""A hello-world operator on kopf with the official Python client, for ../test-real/kopf.test.ts.

kopf brings its own list, watch, finalizers and status patches; the child is written through the client.
"""

import kopf
import kubernetes

kubernetes.config.load_kube_config()
core = kubernetes.client.CoreV1Api()


@kopf.on.resume("clients.example.com", "v1", "greetings")
@kopf.on.create("clients.example.com", "v1", "greetings")
@kopf.on.update("clients.example.com", "v1", "greetings", field="spec")
def greet(body, spec, meta, name, namespace, patch, **_):
    text = f"Hello, {spec['name']}!"
    child = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"greeting": text}}
    kopf.adopt(child, owner=body)
    try:
        core.create_namespaced_config_map(namespace, child)
    except kubernetes.client.ApiException as error:
        if error.status != 409:
            raise
        core.patch_namespaced_config_map(name, namespace, {"data": child["data"]})
    patch.status["greeting"] = text
    patch.status["observedGeneration"] = meta["generation"]
    kopf.info(body, reason="Greeted", message=text)


@kopf.on.delete("clients.example.com", "v1", "greetings")
def farewell(name, logger, **_):
    """Being there makes kopf add and remove a finalizer."""
    logger.info("farewell, %s", name)
